import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactElement, memo } from 'react';
import { BatchActions, BatchProgress } from '../library/batch';
import { useMessages } from '../messages';
import { useAppState, useServices } from '../services';
import { FilePicker } from '../ui/file-picker';
import { Icon } from '../ui/icons';
import styles from './filmstrip.module.css';
import type { MediaItem } from '../../state/media-item';
import { ThumbnailBar, kindOf } from '../ui/thumbnail';

const Badge = ({ item: { status, progress, result } }: { readonly item: MediaItem }): ReactElement | null => {
  switch (status) {
    case 'waiting':
      return null;
    case 'processing':
      return <ThumbnailBar share={progress} />;
    case 'failed':
      return (
        <span className={`centred figures ${styles['badge']}`} data-status="failed">
          <Icon name="warning" size={14} />
        </span>
      );
    case 'done':
      return (
        <span key="count" className={`centred figures ${styles['badge']}`}>
          {result?.objects.length ?? 0}
        </span>
      );
  }
};

interface ThumbnailProps {
  readonly item: MediaItem;
  readonly isSelected: boolean;
  /** Position in the list, from 1 to `count`, for screen readers: not all thumbnails are rendered. */
  readonly position: number;
  readonly count: number;
}

/** One file of the filmstrip: thumbnail, status and number of detected objects. */
const Thumbnail = memo(({ item, isSelected, position, count }: ThumbnailProps): ReactElement => {
  const text = useMessages().files;
  const { store } = useServices();
  const { id, file, status, thumbnailUrl } = item;
  return (
    <li
      className={styles['item']}
      aria-setsize={count}
      aria-posinset={position}
      data-testid="picture"
      data-status={status}
      data-name={file.name}
    >
      <button
        type="button"
        className={`fitted ${styles['select']}`}
        aria-current={isSelected || undefined}
        aria-label={text.label(
          file.name,
          text.statuses[status],
          status === 'done' ? item.result?.objects.length : undefined,
        )}
        title={file.name}
        onClick={() => store.send({ type: 'selected', id })}
      >
        {thumbnailUrl ? (
          <img src={thumbnailUrl} alt="" draggable={false} />
        ) : (
          <span className={styles['kind']}>{kindOf(file.name)}</span>
        )}
        <Badge item={item} />
      </button>
      <button
        type="button"
        className={`centred ${styles['remove']}`}
        aria-label={text.removeNamed(file.name)}
        title={text.remove}
        onClick={() => store.send({ type: 'removed', id })}
      >
        <Icon name="close" size={14} />
      </button>
    </li>
  );
});
Thumbnail.displayName = 'Thumbnail';

/** Width of a thumbnail and the gap after it, as in `filmstrip.module.css`. */
const ITEM_PX = 80;
/** Space before the first and after the last thumbnail. */
const PADDING_PX = 4;
/** Number of thumbnails rendered beyond both edges, for scrolling and for the Tab key. */
const OVERSCAN = 12;

/** Buttons that add files, or a photo that a phone takes. */
const AddTile = ({
  from,
  label,
}: {
  readonly from: 'files' | 'camera';
  readonly label: string;
}): ReactElement => (
  <FilePicker
    from={from}
    render={(open) => (
      <button
        type="button"
        className={`centred ${styles['add']} ${from === 'camera' ? styles['camera'] : ''}`}
        aria-label={label}
        title={label}
        onClick={open}
      >
        <Icon name={from === 'camera' ? 'camera' : 'add'} size={24} />
      </button>
    )}
  />
);

/** All files in a row, with their status. Of hundreds of files, only those near the visible part are rendered. */
export const Filmstrip = (): ReactElement => {
  const text = useMessages().files;
  const { items, selectedId } = useAppState();
  const list = useRef<HTMLUListElement>(null);

  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current,
    estimateSize: () => ITEM_PX,
    horizontal: true,
    overscan: OVERSCAN,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
  });
  const seen = virtualizer.getVirtualItems();
  const beforePx = seen[0]?.start ?? 0;
  const behindPx = virtualizer.getTotalSize() - (seen.at(-1)?.end ?? 0);
  const selectedAt = items.findIndex(({ id }) => id === selectedId);

  useEffect(() => {
    if (selectedAt >= 0) virtualizer.scrollToIndex(selectedAt);
  }, [virtualizer, selectedAt]);

  return (
    <section className={styles['filmstrip']} aria-label={text.list}>
      <div className={`row ${styles['head']}`}>
        <BatchProgress items={items} />
        <BatchActions />
      </div>
      <div className={styles['row']}>
        <AddTile from="files" label={text.add} />
        <AddTile from="camera" label={text.takePhoto} />
        <ul ref={list} className={styles['list']}>
          <li aria-hidden="true" className={styles['space']} style={{ minWidth: beforePx }} />
          {seen.map(({ index }) => {
            const item = items[index];
            return (
              item && (
                <Thumbnail
                  key={item.id}
                  item={item}
                  isSelected={item.id === selectedId}
                  position={index + 1}
                  count={items.length}
                />
              )
            );
          })}
          <li aria-hidden="true" className={styles['space']} style={{ minWidth: behindPx }} />
        </ul>
      </div>
    </section>
  );
};
