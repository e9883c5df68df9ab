import type { ReactElement } from 'react';
import type { VideoFacts } from '../../state/media-item';
import { useMessages } from '../messages';
import { Notice } from '../ui/notice';

/** Warnings about missing or re-encoded parts of the original; nothing if the result is complete. */
export const VideoWarnings = ({
  video: { framesLost, isLossUncertain, audioTracksReencoded, audioTracksDropped },
}: {
  readonly video: VideoFacts;
}): ReactElement | null => {
  const text = useMessages().video;
  const sentences = [
    framesLost > 0 && text.framesLost(framesLost),
    isLossUncertain && text.framesLostUncertain,
    audioTracksReencoded > 0 && text.audioTracksReencoded(audioTracksReencoded),
    audioTracksDropped > 0 && text.audioTracksDropped(audioTracksDropped),
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0) return null;
  return (
    <Notice variant="box" isWarning role="note" data-testid="video-warnings">
      {sentences.join(' ')}
    </Notice>
  );
};
