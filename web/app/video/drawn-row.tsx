import type { ReactElement } from 'react';
import type { TimeRange } from '../../state/video-edits';
import { useMessages, type Messages } from '../messages';
import { IconButton } from '../ui/button';
import type { DrawnObject } from './listed-tracks';
import type { Playhead } from './playhead';
import { RangeFields } from './range-fields';
import styles from './tracks-section.module.css';

const spanOf = ({ atS, followed }: DrawnObject, text: Messages['video']): string =>
  followed ? text.span(followed.from, followed.until) : text.boxFrom(atS);

/** A lost object stays hidden for a moment, not until the end of the video. */
const lossOf = ({ followed, range }: DrawnObject, text: Messages['video']): string | undefined => {
  if (!followed || followed.seen_until >= followed.until) return undefined;
  const lost = range ? text.boxStays : text.boxLost;
  return lost(followed.seen_until, followed.until);
};

/** A second from its frame on, or to the moment in view. */
const MIN_RANGE_S = 1;
const firstRange = ({ atS }: DrawnObject, nowS: number): TimeRange => ({
  start: atS,
  end: nowS > atS ? nowS : atS + MIN_RANGE_S,
});

/** Row of a drawn box: its time range and a button to remove it. */
export const DrawnRow = ({
  drawn,
  thumbnailUrl,
  playhead,
  onRange,
  onRemove,
}: {
  readonly drawn: DrawnObject;
  readonly thumbnailUrl: string | undefined;
  readonly playhead: Playhead;
  readonly onRange: (range: TimeRange | undefined) => void;
  readonly onRemove: () => void;
}): ReactElement => {
  const text = useMessages().video;
  const span = spanOf(drawn, text);
  const loss = lossOf(drawn, text);
  return (
    <li className={styles['row']} data-testid="drawn">
      <button
        type="button"
        className={styles['thumbnail']}
        title={text.goToBox(span)}
        aria-label={text.goToBox(span)}
        onClick={() => playhead.seek({ atS: drawn.atS })}
      >
        {thumbnailUrl && <img src={thumbnailUrl} alt="" />}
      </button>
      <span className={styles['label']}>
        <span>
          {text.drawnBox}
          <small>{span}</small>
          {loss && <small className={styles['loss']}>{loss}</small>}
        </span>
      </span>
      {!drawn.range && (
        <IconButton
          icon="range"
          label={text.range.addToBox(span)}
          title={text.range.addBox}
          onClick={() => onRange(firstRange(drawn, playhead.nowS()))}
        />
      )}
      <IconButton icon="trash" label={text.removeBox(span)} onClick={onRemove} />
      {drawn.range && (
        <RangeFields
          name={text.range.box}
          range={drawn.range}
          playhead={playhead}
          onChange={onRange}
          onRemove={() => onRange(undefined)}
        />
      )}
    </li>
  );
};
