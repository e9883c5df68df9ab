import type { ReactElement } from 'react';
import { isVideo, type MediaItem, type VideoFacts } from '../../state/media-item';
import { useStore } from '../../state/store';
import { isOutdated } from '../../state/wanted-edits';
import { useMessages, type Messages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { SteadyText } from '../ui/steady-text';

/** Sentences about missing or changed parts of the original; nothing if the result is complete. */
export const VideoWarnings = ({
  video: { framesLost, isLossUncertain, audioTracksReencoded, audioTracksDropped, toneMapped },
}: {
  readonly video: VideoFacts;
}): ReactElement | null => {
  const text = useMessages().video;
  const losses = [
    framesLost > 0 && text.framesLost(framesLost),
    isLossUncertain && text.framesLostUncertain,
    audioTracksReencoded > 0 && text.audioTracksReencoded(audioTracksReencoded),
    audioTracksDropped > 0 && text.audioTracksDropped(audioTracksDropped),
  ].filter((sentence) => sentence !== false);
  const sentences = toneMapped ? [...losses, text.toneMapped(toneMapped.toUpperCase())] : losses;
  if (sentences.length === 0) return null;
  return (
    <Notice variant="box" isWarning={losses.length > 0} role="note" data-testid="video-warnings">
      {sentences.join(' ')}
    </Notice>
  );
};

const beginningOf = (revision: MediaItem['revision'], text: Messages['video']): string =>
  revision === 'wanted' ? text.applying : text.readingFirstFrames;

/** Says that the video is converted in this tab, which takes long. */
const ConversionNote = (): ReactElement | null => {
  const { server } = useServices();
  const isOnServer = useStore(server.use, ({ isOn }) => isOn);
  const text = useMessages().video;
  return isOnServer ? null : <p>{text.convertedFirst}</p>;
};

const convertedShare = (frames: MediaItem['frames']): number | null =>
  typeof frames?.converted === 'number' && frames.converted < 1 ? frames.converted : null;

const STOPPED = 'Processing was stopped.';

/** Over the video: how far it is, how fast, how long it will take, and a way to stop it. */
export const VideoProgress = ({
  item: { id, progress, frames, revision, waitsForRelease },
}: {
  readonly item: MediaItem;
}): ReactElement => {
  const { store } = useServices();
  const { video: text, stage } = useMessages();
  const isMoving = frames !== null && frames.done > 0;
  const converted = convertedShare(frames);
  const beginning = waitsForRelease ? stage.unreleased : beginningOf(revision, text);
  const waiting = converted === null ? beginning : text.converting(converted);
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
        <Button onClick={() => store.send({ type: 'stopped', id, error: STOPPED })}>{text.stop}</Button>
      }
    >
      <progress max={1} value={converted ?? progress} aria-label={stage.working(converted ?? progress)} />
      <p>{pace.join(' · ')}&nbsp;</p>
      {converted !== null && <ConversionNote />}
    </Notice>
  );
};

/** A sentence of the engine or the API; those that are in no other language are marked as English. */
const Said = ({
  sentence,
  otherwise,
}: {
  readonly sentence: string | null;
  readonly otherwise: string;
}): ReactElement => {
  const { said } = useMessages();
  if (sentence === null) return <p>{otherwise}</p>;
  const text = said(sentence);
  return <p lang={text === sentence ? 'en' : undefined}>{text}</p>;
};

/** Over the image: how far it is, or why there is no result. */
export const StageNotice = ({ item }: { readonly item: MediaItem }): ReactElement | null => {
  const { id, status, progress, error, revision } = item;
  const messages = useMessages();
  const { store } = useServices();
  switch (status) {
    case 'done':
      return isOutdated(item) ? <Notice variant="pill">{messages.review.changing}</Notice> : null;
    case 'failed':
      return (
        <Notice
          variant="cover"
          isWarning
          heading={isVideo(item) ? messages.video.failedTitle : messages.stage.failedTitle}
          data-testid="error"
          onPointerDown={(event) => event.stopPropagation()}
          actions={
            <>
              <Button onClick={() => store.send({ type: 'retried', id })}>{messages.stage.retry}</Button>
              <Button onClick={() => store.send({ type: 'removed', id })}>{messages.stage.remove}</Button>
            </>
          }
        >
          <Said
            sentence={error}
            otherwise={revision === 'failed' ? messages.review.notApplied : messages.unexpected}
          />
        </Notice>
      );
    case 'waiting':
    case 'processing':
      if (item.waitsForRelease) return <Notice variant="pill">{messages.stage.unreleased}</Notice>;
      return (
        <Notice variant="overlay">
          <SteadyText others={[messages.stage.waiting, messages.stage.working(1)]}>
            {status === 'waiting' ? messages.stage.waiting : messages.stage.working(progress)}
          </SteadyText>
          <progress max={1} value={progress} aria-label={messages.stage.working(progress)} />
        </Notice>
      );
  }
};
