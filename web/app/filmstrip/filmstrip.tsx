import { useEffect, useRef, type ReactElement } from 'react';
import { isVideo, type Picture } from '../../state/pictures';
import { useStore } from '../../state/store';
import { KeepSwitch } from '../library/keep-switch';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { Button } from '../ui/button';
import { FilePicker } from '../ui/file-picker';
import { Icon } from '../ui/icons';
import styles from './filmstrip.module.css';
import { Thumbnail } from './thumbnail';
import { useWindow } from './use-window';
import { ITEM_PX } from './visible-range';

const Progress = ({ pictures }: { readonly pictures: readonly Picture[] }): ReactElement => {
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
const BatchActions = (): ReactElement => {
  const text = useMessages().pictures;
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
    </div>
  );
};

/** All pictures in a row, with what became of each; of hundreds, only those near the part that is seen are rendered. */
export const Filmstrip = (): ReactElement => {
  const text = useMessages().pictures;
  const { pictures, selectedId } = useAppState();
  const list = useRef<HTMLUListElement>(null);

  const { first, end } = useWindow(list, pictures.length);
  const selectedAt = pictures.findIndex(({ id }) => id === selectedId);

  useEffect(() => {
    const row = list.current;
    if (!row || selectedAt < 0) return;
    // By its place: one that is far away is not rendered.
    const left = selectedAt * ITEM_PX;
    const leastScroll = left + ITEM_PX - row.clientWidth;
    row.scrollLeft = Math.min(left, Math.max(leastScroll, row.scrollLeft));
  }, [selectedAt]);

  return (
    <section className={styles['filmstrip']} aria-label={text.list}>
      <div className={styles['head']}>
        <Progress pictures={pictures} />
        <BatchActions />
      </div>
      <div className={styles['row']}>
        <FilePicker
          render={(open) => (
            <button
              type="button"
              className={styles['add']}
              aria-label={text.add}
              title={text.add}
              onClick={open}
            >
              <Icon name="add" size={24} />
            </button>
          )}
        />
        <ul ref={list} className={styles['list']}>
          <li aria-hidden="true" className={styles['space']} style={{ minWidth: first * ITEM_PX }} />
          {pictures.slice(first, end).map((picture, i) => (
            <Thumbnail
              key={picture.id}
              picture={picture}
              isSelected={picture.id === selectedId}
              position={first + i + 1}
              count={pictures.length}
            />
          ))}
          <li
            aria-hidden="true"
            className={styles['space']}
            style={{ minWidth: (pictures.length - end) * ITEM_PX }}
          />
        </ul>
      </div>
    </section>
  );
};
