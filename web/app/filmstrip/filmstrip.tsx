import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactElement } from 'react';
import { BatchActions, BatchProgress } from '../library/batch';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { FilePicker } from '../ui/file-picker';
import { Icon } from '../ui/icons';
import styles from './filmstrip.module.css';
import { Thumbnail } from './thumbnail';

/** Width of a thumbnail and the gap after it, as in `thumbnail.module.css`. */
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
        className={`${styles['add']} ${from === 'camera' ? styles['camera'] : ''}`}
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
  const { pictures, selectedId } = useAppState();
  const list = useRef<HTMLUListElement>(null);

  const virtualizer = useVirtualizer({
    count: pictures.length,
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
  const selectedAt = pictures.findIndex(({ id }) => id === selectedId);

  useEffect(() => {
    if (selectedAt >= 0) virtualizer.scrollToIndex(selectedAt);
  }, [virtualizer, selectedAt]);

  return (
    <section className={styles['filmstrip']} aria-label={text.list}>
      <div className={styles['head']}>
        <BatchProgress pictures={pictures} />
        <BatchActions />
      </div>
      <div className={styles['row']}>
        <AddTile from="files" label={text.add} />
        <AddTile from="camera" label={text.takePhoto} />
        <ul ref={list} className={styles['list']}>
          <li aria-hidden="true" className={styles['space']} style={{ minWidth: beforePx }} />
          {seen.map(({ index }) => {
            const picture = pictures[index];
            return (
              picture && (
                <Thumbnail
                  key={picture.id}
                  picture={picture}
                  isSelected={picture.id === selectedId}
                  position={index + 1}
                  count={pictures.length}
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
