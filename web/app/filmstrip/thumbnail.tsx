import type { ReactElement } from 'react';
import type { Picture } from '../../state/pictures';
import { messages } from '../messages';
import { Icon } from '../ui/icons';
import styles from './thumbnail.module.css';

const text = messages.pictures;

/** Stands for a picture that has no thumbnail (yet). */
const kindOf = (name: string): string => (/\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? '').toUpperCase();

const Badge = ({
  picture: { status, progress, result },
}: {
  readonly picture: Picture;
}): ReactElement | null => {
  switch (status) {
    case 'waiting':
      return null;
    case 'processing':
      return (
        <span className={styles['bar']}>
          <span style={{ scale: `${progress} 1` }} />
        </span>
      );
    case 'failed':
      return (
        <span className={styles['badge']} data-status="failed">
          <Icon name="warning" size={14} />
        </span>
      );
    case 'done':
      return <span className={styles['badge']}>{result?.objects.length ?? 0}</span>;
  }
};

/** One picture of the strip: its look, its state, and how many objects were found. */
export const Thumbnail = ({
  picture,
  isSelected,
  onSelect,
  onRemove,
}: {
  readonly picture: Picture;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}): ReactElement => (
  <li
    className={styles['item']}
    data-testid="picture"
    data-status={picture.status}
    data-name={picture.file.name}
  >
    <button
      type="button"
      className={styles['select']}
      aria-current={isSelected || undefined}
      aria-label={text.label(picture.file.name, text.statuses[picture.status])}
      title={picture.file.name}
      onClick={onSelect}
    >
      {picture.thumbnailUrl ? (
        <img src={picture.thumbnailUrl} alt="" draggable={false} />
      ) : (
        <span className={styles['kind']}>{kindOf(picture.file.name)}</span>
      )}
      <Badge picture={picture} />
    </button>
    <button
      type="button"
      className={styles['remove']}
      aria-label={text.removeNamed(picture.file.name)}
      title={text.remove}
      onClick={onRemove}
    >
      <Icon name="close" size={14} />
    </button>
  </li>
);
