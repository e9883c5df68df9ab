import type { ReactElement, ReactNode } from 'react';
import type { TimeRange } from '../../state/video-edits';
import { useMessages } from '../messages';
import { SubjectButton } from '../subjects/subject-button';
import { IconButton } from '../ui/button';
import { samplesOf, type Track } from './listed-tracks';
import type { Playhead } from './playhead';
import { RangeFields } from './range-fields';
import styles from './tracks-section.module.css';

/** Behind the beginning of its last frame. */
const TO_ITS_END_S = 0.2;

/** From the moment in view to its end, or all of it where it is not in view. */
const firstRange = ({ firstS, lastS }: Track['seen'], nowS: number): TimeRange => ({
  start: nowS > firstS && nowS < lastS ? nowS : firstS,
  end: lastS + TO_ITS_END_S,
});

interface TrackRowProps {
  readonly track: Track;
  readonly thumbnailUrl: string | undefined;
  readonly isHidden: boolean;
  /** When it is visible because of the person who stays visible; absent for all other tracks. */
  readonly shown?: ReactNode;
  /** When it is the other way round. */
  readonly range: TimeRange | undefined;
  readonly playhead: Playhead;
  readonly onHide: (isHidden: boolean) => void;
  readonly onRange: (range: TimeRange | undefined) => void;
}

/** The range in which it is the other way round, or the way to one. */
const WhenOtherwise = ({
  track: { objectClass, seen },
  isHidden,
  range,
  playhead,
  onRange,
}: Pick<TrackRowProps, 'track' | 'isHidden' | 'range' | 'playhead' | 'onRange'>): ReactElement => {
  const messages = useMessages();
  const { range: text, span } = messages.video;
  if (range) {
    return (
      <RangeFields
        name={isHidden ? text.visible : text.hidden}
        range={range}
        playhead={playhead}
        onChange={onRange}
        onRemove={() => onRange(undefined)}
      />
    );
  }
  return (
    <IconButton
      icon="range"
      label={text.add(messages.objectName(objectClass), span(seen.firstS, seen.lastS))}
      title={isHidden ? text.addVisible : text.addHidden}
      onClick={() => onRange(firstRange(seen, playhead.nowS()))}
    />
  );
};

/** One object of a video: a picture that leads to it, whether it is hidden, and when not. */
export const TrackRow = ({
  track,
  thumbnailUrl,
  isHidden,
  shown,
  range,
  playhead,
  onHide,
  onRange,
}: TrackRowProps): ReactElement => {
  const messages = useMessages();
  const text = messages.video;
  const { objectClass, seen } = track;
  const name = messages.objectName(objectClass);
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
      {objectClass === 'face' && <SubjectButton faces={samplesOf(track)} name={`${name}, ${span}`} />}
      {/* A range takes the place of the person: the track is then visible in the range alone. */}
      <WhenOtherwise {...{ track, range, playhead, onRange }} isHidden={isHidden || shown !== undefined} />
      {shown}
    </li>
  );
};
