import type { ReactElement } from 'react';
import { isVideo, type MediaItem } from '../../state/media-item';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import { UncertainButton } from '../uncertain/uncertain-button';
import styles from './batch.module.css';
import { KeepSwitch } from './keep-switch';
import { useView } from './view';
import { Notice } from '../ui/notice';

/** Progress of all files, warnings, and actions to resolve them. */
export const BatchProgress = ({ pictures }: { readonly pictures: readonly MediaItem[] }): ReactElement => {
  const messages = useMessages();
  const text = messages.files;
  const { library, store } = useServices();
  const { isPaused } = useAppState();
  const hasWaiting = pictures.some(({ status }) => status === 'waiting');
  const failed = pictures.filter(({ status }) => status === 'failed').length;
  const done = pictures.filter(({ status }) => status === 'done').length;
  const unstored = pictures.filter(({ isStored }) => isStored === false).length;
  const hasStorage = useStore(library.keeping, (keeping) => keeping !== 'memory');
  return (
    <div className={styles['progress']} data-testid="batch-progress">
      <p>{text.progress(done, pictures.length, pictures.some(isVideo))}</p>
      {(hasWaiting || isPaused) && (
        <Button variant="quiet" onClick={() => store.send({ type: 'paused', isPaused: !isPaused })}>
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      {failed > 0 && (
        <Notice variant="line" isWarning>
          {text.failedCount(failed)}
        </Notice>
      )}
      {failed > 1 && (
        <Button variant="quiet" onClick={() => store.send({ type: 'retried-failed' })}>
          {text.retryFailed(failed)}
        </Button>
      )}
      {unstored > 0 && hasStorage && <Notice variant="line">{messages.storage.unstored(unstored)}</Notice>}
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
