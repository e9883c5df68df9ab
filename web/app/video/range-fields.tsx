import type { ReactElement } from 'react';
import type { TimeRange } from '../../state/video-edits';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import type { Playhead } from './playhead';
import styles from './range-fields.module.css';

/** Time range of an object or a drawn box. Each end is set to the current position. */
export const RangeFields = ({
  name,
  range: { start, end },
  playhead,
  onChange,
  onRemove,
}: {
  /** What applies within the range. */
  readonly name: string;
  readonly range: TimeRange;
  readonly playhead: Playhead;
  readonly onChange: (range: TimeRange) => void;
  readonly onRemove: () => void;
}): ReactElement => {
  const text = useMessages().video.range;
  const from = text.from(start);
  const until = end === undefined ? text.untilEnd : text.until(end);
  const withStart = (now: number): TimeRange => ({
    start: now,
    ...(end !== undefined && { end: Math.max(now, end) }),
  });
  return (
    <div className={styles['range']} role="group" aria-label={name} data-testid="range">
      <span className={styles['name']}>{name}</span>
      <button
        type="button"
        title={text.set(from)}
        aria-label={text.set(from)}
        onClick={() => onChange(withStart(playhead.nowS()))}
      >
        {from}
      </button>
      <button
        type="button"
        title={text.set(until)}
        aria-label={text.set(until)}
        onClick={() => onChange({ start: Math.min(playhead.nowS(), start), end: playhead.nowS() })}
      >
        {until}
      </button>
      <IconButton icon="close" label={text.remove} onClick={onRemove} />
    </div>
  );
};
