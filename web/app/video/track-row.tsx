import type { ReactElement } from 'react';
import { useMessages } from '../messages';
import type { Track } from './listed-tracks';
import type { Seek } from './seek';
import styles from './tracks-section.module.css';

/** One object of a video: a picture that leads to it, and whether it is hidden. */
export const TrackRow = ({
  track,
  thumbnailUrl,
  isHidden,
  onHide,
  onSeek,
}: {
  readonly track: Track;
  readonly thumbnailUrl: string | undefined;
  readonly isHidden: boolean;
  readonly onHide: (isHidden: boolean) => void;
  readonly onSeek: Seek;
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
        onClick={() => onSeek({ atS: seen.bestS, object: track })}
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
    </li>
  );
};
