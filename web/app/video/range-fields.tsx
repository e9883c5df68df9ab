import type { ReactElement } from 'react';
import type { TimeRange } from '#shared/domain/video-edits';
import { US_PER_SECOND } from '#shared/domain/time-units';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import type { Playhead } from './playhead';
import styles from './range-fields.module.css';

/** Time range of an object or a drawn box. Each end is set to the current position. */
export const RangeFields = ({
  name,
  range: { fromUs, untilUs },
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
  const from = text.from(fromUs / US_PER_SECOND);
  const until = text.until(untilUs / US_PER_SECOND);
  const nowUs = (): number => playhead.nowS() * US_PER_SECOND;
  return (
    <div className={styles['range']} role="group" aria-label={name} data-testid="range">
      <span className={styles['name']}>{name}</span>
      <button
        type="button"
        title={text.set(from)}
        aria-label={text.set(from)}
        onClick={() => onChange({ fromUs: nowUs(), untilUs: Math.max(nowUs(), untilUs) })}
      >
        {from}
      </button>
      <button
        type="button"
        title={text.set(until)}
        aria-label={text.set(until)}
        onClick={() => onChange({ fromUs: Math.min(nowUs(), fromUs), untilUs: nowUs() })}
      >
        {until}
      </button>
      <IconButton icon="close" label={text.remove} onClick={onRemove} />
    </div>
  );
};
