import { memo, type ReactElement } from 'react';
import { countObjects, type MediaItem, type MediaResult } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { kindOf, ThumbnailBar } from '../ui/thumbnail';
import { Icon } from '../ui/icons';
import styles from './grid.module.css';

const shortcomingsOf = ({ video, editable }: MediaResult, text: Messages['grid']): readonly string[] => [
  ...(video && video.framesLost > 0 ? [text.framesLost(video.framesLost)] : []),
  ...(video?.isLossUncertain && video.framesLost === 0 ? [text.framesLostUncertain] : []),
  ...(video && video.audioTracksDropped > 0 ? [text.audioDropped] : []),
  ...(editable?.sparedMemory ? [text.lowMemory] : []),
];

/** Warnings that a user should know before using the result. */
const warningsOf = (
  { status, error, result, isStored }: MediaItem,
  messages: Messages,
  isStale: boolean,
): readonly string[] => [
  ...(status === 'failed' ? [error === null ? messages.unexpected : messages.said(error)] : []),
  ...(result ? shortcomingsOf(result, messages.grid) : []),
  ...(isStored === false ? [messages.grid.unstored] : []),
  ...(isStale ? [messages.grid.stale] : []),
];

const Counts = ({ item: { result } }: { readonly item: MediaItem }): ReactElement => {
  const messages = useMessages();
  const counts = countObjects(result?.objects ?? []);
  return (
    <span className={styles['counts']}>
      {[...counts].map(([name, count]) => (
        <span key={name} data-class={name} title={messages.classes[name]}>
          {count}
        </span>
      ))}
    </span>
  );
};

interface CardProps {
  readonly id: string;
  readonly item: MediaItem;
  readonly isChosen: boolean;
  /** Whether the card has the keyboard focus. */
  readonly isActive: boolean;
  readonly isStale: boolean;
  /** Position in the list, from 1 to `count`, for screen readers: not all cards are rendered. */
  readonly position: number;
  readonly count: number;
}

/** One file of the grid: thumbnail, status, object counts and warnings. */
export const Card = memo(
  ({ id, item, isChosen, isActive, isStale, position, count }: CardProps): ReactElement => {
    const messages = useMessages();
    const { file, status, progress, result, thumbnailUrl } = item;
    const warnings = warningsOf(item, messages, isStale);
    const found =
      status === 'done' && result ? messages.objectCounts(countObjects(result.objects)) : undefined;
    const labels = [status === 'done' ? found : messages.files.statuses[status], ...warnings];
    return (
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        aria-setsize={count}
        aria-posinset={position}
        className={styles['card']}
        data-active={isActive}
        data-id={item.id}
        data-testid="card"
        data-status={status}
        data-name={file.name}
      >
        <span className={`fitted ${styles['look']}`}>
          {thumbnailUrl ? (
            <img src={thumbnailUrl} alt="" draggable={false} />
          ) : (
            <span className={`centred soft ${styles['kind']}`} aria-hidden="true">
              {kindOf(file.name)}
            </span>
          )}
          {status === 'processing' && <ThumbnailBar share={progress} />}
          {isChosen && (
            <span className={`centred ${styles['tick']}`}>
              <Icon name="check" size={16} />
            </span>
          )}
        </span>
        <span className={`clipped ${styles['name']}`} title={file.name}>
          {file.name}
        </span>
        <span className="visually-hidden">{labels.join(', ')}</span>
        <span className={`soft figures ${styles['facts']}`} aria-hidden="true">
          {status === 'done' ? (
            <Counts item={item} />
          ) : (
            <span className="clipped">{messages.files.statuses[status]}</span>
          )}
          {warnings.length > 0 && (
            <span className={styles['warning']} title={warnings.join('\n')}>
              <Icon name="warning" size={16} />
            </span>
          )}
        </span>
      </div>
    );
  },
);
Card.displayName = 'Card';
