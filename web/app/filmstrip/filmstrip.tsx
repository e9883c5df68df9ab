import { useEffect, useRef, type ReactElement } from 'react';
import { BatchActions, BatchProgress } from '../library/batch';
import { useMessages } from '../messages';
import { useAppState } from '../services';
import { FilePicker } from '../ui/file-picker';
import { Icon } from '../ui/icons';
import styles from './filmstrip.module.css';
import { Thumbnail } from './thumbnail';
import { useWindow } from './use-window';
import { ITEM_PX } from './visible-range';

/** Adds files, or a picture that a phone takes. */
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
        <BatchProgress pictures={pictures} />
        <BatchActions />
      </div>
      <div className={styles['row']}>
        <AddTile from="files" label={text.add} />
        <AddTile from="camera" label={text.takePicture} />
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
