import type { ReactElement } from 'react';
import type { TimeRange } from '#shared/pipeline/video-edits';
import { useMessages } from '../messages';
import { IconButton } from '../ui/button';
import type { Track } from './listed-tracks';
import type { Playhead } from './playhead';
import { RangeFields } from './range-fields';
import styles from './tracks-section.module.css';

const MICROSECONDS = 1e6;
/** Behind the beginning of its last frame. */
const TO_ITS_END_S = 0.2;

/** From the moment in view to its end, or all of it where it is not in view. */
const firstRange = ({ firstS, lastS }: Track['seen'], nowS: number): TimeRange => ({
  fromUs: (nowS > firstS && nowS < lastS ? nowS : firstS) * MICROSECONDS,
  untilUs: (lastS + TO_ITS_END_S) * MICROSECONDS,
});

/** One object of a video: a picture that leads to it, whether it is hidden, and when not. */
export const TrackRow = ({
  track,
  thumbnailUrl,
  isHidden,
  range,
  playhead,
  onHide,
  onRange,
}: {
  readonly track: Track;
  readonly thumbnailUrl: string | undefined;
  readonly isHidden: boolean;
  /** When it is the other way round. */
  readonly range: TimeRange | undefined;
  readonly playhead: Playhead;
  readonly onHide: (isHidden: boolean) => void;
  readonly onRange: (range: TimeRange | undefined) => void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.video;
  const { objectClass, seen } = track;
  const name = messages.oneOf(objectClass);
  const span = text.span(seen.firstS, seen.lastS);
  return (
    <li className={styles['row']} data-testid="track" data-track={track.id} data-class={objectClass}>
      <button
        type="button"
        className={styles['thumbnail']}
        title={text.showTrack(name, span)}
        aria-label={text.showTrack(name, span)}
        onClick={() => playhead.seek({ atS: seen.bestS, object: track })}
      >
        {thumbnailUrl && <img src={thumbnailUrl} alt="" />}
      </button>
      <label className={styles['label']}>
        <input
          type="checkbox"
          checked={isHidden}
          aria-label={text.track(name, span)}
          onChange={({ currentTarget }) => onHide(currentTarget.checked)}
        />
        <span>
          {name}
          <small>{span}</small>
        </span>
      </label>
      {range ? (
        <RangeFields
          name={isHidden ? text.range.visible : text.range.hidden}
          range={range}
          playhead={playhead}
          onChange={onRange}
          onRemove={() => onRange(undefined)}
        />
      ) : (
        <IconButton
          icon="range"
          label={text.range.add(name, span)}
          title={isHidden ? text.range.addVisible : text.range.addHidden}
          onClick={() => onRange(firstRange(seen, playhead.nowS()))}
        />
      )}
    </li>
  );
};
