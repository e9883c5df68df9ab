import type { ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

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
    <Notice
      variant="overlay"
      heading={isMoving ? text.frames(frames.done, frames.total) : waiting}
      data-testid="video-progress"
      actions={
        <Button onClick={() => store.send({ type: 'stopped', id, error: text.stopped })}>{text.stop}</Button>
      }
    >
      <progress max={1} value={progress} aria-label={stage.working(progress)} />
      <p>{pace.join(' · ')}&nbsp;</p>
    </Notice>
  );
};
