import { type ReactElement, useId, createContext, use } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { UncertainButton } from '../uncertain/uncertain-button';
import { Notice } from '../ui/notice';
import styles from './library.module.css';
import { Checkbox } from '../ui/inputs';

/** How files are shown: one large with a filmstrip, or all of them in a grid. */
export type View = 'one' | 'grid';

interface ViewChoice {
  readonly view: View;
  setView(view: View): void;
}

const Context = createContext<ViewChoice>({ view: 'one', setView: () => undefined });
export const ViewProvider = Context.Provider;
const useView = (): ViewChoice => use(Context);

/** Switch that keeps the files after the tab is closed. Its explanation is visible or read by screen readers. */
export const KeepSwitch = ({
  isExplained = false,
}: {
  readonly isExplained?: boolean;
}): ReactElement | null => {
  const text = useMessages().storage;
  const { library } = useServices();
  const keeping = useStore(library.keeping, (current) => current);
  const id = useId();
  const explained = text.explanations[keeping];
  if (keeping === 'memory' && !isExplained) return null;
  return (
    <div className="stack tight">
      {keeping !== 'memory' && (
        <Checkbox
          title={explained}
          checked={keeping === 'kept'}
          disabled={keeping === 'elsewhere'}
          aria-describedby={id}
          data-testid="keep"
          variant={library.keep}
        >
          {text.keep}
        </Checkbox>
      )}
      <p id={id} className={isExplained ? 'soft' : 'visually-hidden'}>
        {explained}
      </p>
    </div>
  );
};

/** Progress of all files, warnings, and actions to resolve them. */
export const BatchProgress = ({ items }: { readonly items: readonly MediaItem[] }): ReactElement => {
  const messages = useMessages();
  const text = messages.files;
  const { library, store } = useServices();
  const { isPaused } = useAppState();
  const hasWaiting = items.some(({ status }) => status === 'waiting');
  const failed = items.filter(({ status }) => status === 'failed').length;
  const done = items.filter(({ status }) => status === 'done').length;
  const unstored = items.filter(({ isStored }) => isStored === false).length;
  const hasStorage = useStore(library.keeping, (keeping) => keeping !== 'memory');
  return (
    <div className={`row figures ${styles['progress']}`} data-testid="batch-progress">
      <p>{text.progress(done, items.length, items.some(isVideo))}</p>
      {(hasWaiting || isPaused) && (
        <Button variant="quiet" onClick={() => store.send({ type: 'paused', isPaused: !isPaused })}>
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      {failed > 0 && <Notice isWarning>{text.failedCount(failed)}</Notice>}
      {failed > 1 && (
        <Button variant="quiet" onClick={() => store.send({ type: 'retried-failed' })}>
          {text.retryFailed(failed)}
        </Button>
      )}
      {unstored > 0 && hasStorage && <Notice>{messages.storage.unstored(unstored)}</Notice>}
    </div>
  );
};

/** Actions for all files. */
export const BatchActions = (): ReactElement => {
  const { view, setView } = useView();
  const { files: text, views } = useMessages();
  const { store } = useServices();
  return (
    <div className={styles['actions']}>
      <KeepSwitch />
      <UncertainButton />
      <Button variant="quiet" onClick={() => store.send({ type: 'cleared' })}>
        {text.clear}
      </Button>
      <Button
        variant="quiet"
        title={view === 'grid' ? views.oneTitle : views.gridTitle}
        onClick={() => setView(view === 'grid' ? 'one' : 'grid')}
      >
        <Icon name={view === 'grid' ? 'one' : 'grid'} />
        <span className="word">{view === 'grid' ? views.one : views.grid}</span>
      </Button>
    </div>
  );
};
