import { memo, type ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Icon } from '../ui/icons';
import { ThumbnailBar } from '../ui/thumbnail-bar';
import { kindOf } from '../ui/file-kind';
import styles from './thumbnail.module.css';

const Badge = ({
  picture: { status, progress, result },
}: {
  readonly picture: MediaItem;
}): ReactElement | null => {
  switch (status) {
    case 'waiting':
      return null;
    case 'processing':
      return <ThumbnailBar share={progress} />;
    case 'failed':
      return (
        <span className={styles['badge']} data-status="failed">
          <Icon name="warning" size={14} />
        </span>
      );
    case 'done':
      return (
        <span key="count" className={styles['badge']}>
          {result?.objects.length ?? 0}
        </span>
      );
  }
};

interface ThumbnailProps {
  readonly picture: MediaItem;
  readonly isSelected: boolean;
  /** Position in the list, from 1 to `count`, for screen readers: not all thumbnails are rendered. */
  readonly position: number;
  readonly count: number;
}

/** One file of the filmstrip: thumbnail, status and number of detected objects. */
export const Thumbnail = memo(({ picture, isSelected, position, count }: ThumbnailProps): ReactElement => {
  const text = useMessages().files;
  const { store } = useServices();
  const { id, file, status, thumbnailUrl } = picture;
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
        className={styles['select']}
        aria-current={isSelected || undefined}
        aria-label={text.label(
          file.name,
          text.statuses[status],
          status === 'done' ? picture.result?.objects.length : undefined,
        )}
        title={file.name}
        onClick={() => store.send({ type: 'selected', id })}
      >
        {thumbnailUrl ? (
          <img src={thumbnailUrl} alt="" draggable={false} />
        ) : (
          <span className={styles['kind']}>{kindOf(file.name)}</span>
        )}
        <Badge picture={picture} />
      </button>
      <button
        type="button"
        className={styles['remove']}
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
