import type { ReactElement } from 'react';
import { isVideo, type Picture } from '../../state/picture';
import { useStore } from '../../state/store';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { Icon } from '../ui/icons';
import styles from './batch.module.css';
import { KeepSwitch } from './keep-switch';
import { useView } from './view';

/** How far the work is, and what is to be known of some of them. */
export const BatchProgress = ({ pictures }: { readonly pictures: readonly Picture[] }): ReactElement => {
  const messages = useMessages();
  const text = messages.pictures;
  const failed = pictures.filter(({ status }) => status === 'failed').length;
  const done = pictures.filter(({ status }) => status === 'done').length;
  const unstored = pictures.filter(({ isStored }) => isStored === false).length;
  const hasStorage = useStore(useServices().library.keeping, (keeping) => keeping !== 'memory');
  return (
    <p className={styles['progress']} data-testid="batch-progress">
      {text.progress(done, pictures.length, pictures.some(isVideo))}
      {unstored > 0 && hasStorage && <span>{messages.keeping.unstored(unstored)}</span>}
      {failed > 0 && <span className={styles['failed']}>{text.failedCount(failed)}</span>}
    </p>
  );
};

/** What can be done with all pictures at once. */
export const BatchActions = (): ReactElement => {
  const { view, setView } = useView();
  const { pictures: text, views } = useMessages();
  const { store } = useServices();
  const { pictures, isPaused } = useAppState();
  const failed = pictures.filter(({ status }) => status === 'failed').length;
  const hasWaiting = pictures.some(({ status }) => status === 'waiting');
  return (
    <div className={styles['actions']}>
      <KeepSwitch />
      {(hasWaiting || isPaused) && (
        <Button look="quiet" onClick={() => store.send({ type: 'paused', isPaused: !isPaused })}>
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      {failed > 1 && (
        <Button look="quiet" onClick={() => store.send({ type: 'retried-failed' })}>
          {text.retryFailed(failed)}
        </Button>
      )}
      <Button look="quiet" onClick={() => store.send({ type: 'cleared' })}>
        {text.clear}
      </Button>
      <Button
        look="quiet"
        title={view === 'grid' ? views.oneTitle : views.gridTitle}
        onClick={() => setView(view === 'grid' ? 'one' : 'grid')}
      >
        <Icon name={view === 'grid' ? 'one' : 'grid'} />
        {view === 'grid' ? views.one : views.grid}
      </Button>
    </div>
  );
};
