import type { ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import styles from './video-progress.module.css';

const beginningOf = (revision: MediaItem['revision'], text: Messages['video']): string =>
  revision === 'wanted' ? text.applying : text.readingFirstFrames;

/** Over the video: how far it is, how fast, how long it will take, and a way to stop it. */
export const VideoProgress = ({
  picture: { id, progress, frames, revision },
}: {
  readonly picture: MediaItem;
}): ReactElement => {
  const { store } = useServices();
  const { video: text, stage } = useMessages();
  const isMoving = frames !== null && frames.done > 0;
  const waiting =
    typeof frames?.converted === 'number' && frames.converted < 1
      ? text.converting(frames.converted)
      : beginningOf(revision, text);
  const pace = [
    frames?.perSecond ? text.perSecond(frames.perSecond) : [],
    typeof frames?.secondsLeft === 'number' ? text.left(frames.secondsLeft) : [],
  ].flat();
  return (
    <div className={styles['progress']} data-testid="video-progress">
      <p className={styles['title']}>{isMoving ? text.frames(frames.done, frames.total) : waiting}</p>
      <progress max={1} value={progress} aria-label={stage.working(progress)} />
      <p>{pace.join(' · ')}&nbsp;</p>
      <Button onClick={() => store.send({ type: 'failed', id, error: text.stopped })}>{text.stop}</Button>
    </div>
  );
};
