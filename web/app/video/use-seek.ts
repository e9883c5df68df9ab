import { useEffect, useState, type RefObject } from 'react';
import type { FoundObject } from '../../state/media-item';
import type { Playhead, SeekTarget } from './playhead';
import type { Playback } from './use-playback';

/**
 * Lets others go to a moment of the video, and know the one that is in view.
 *
 * @returns what is marked at the moment in view, until the video moves on
 */
export const useSeek = (
  playback: Playback,
  canvas: RefObject<HTMLElement | null>,
  playhead: RefObject<Playhead>,
): FoundObject | undefined => {
  const [target, setTarget] = useState<SeekTarget | null>(null);
  useEffect(() => {
    playhead.current = {
      nowS: playback.currentTimeS,
      seek: (wanted) => {
        playback.pause();
        playback.seek(wanted.atS);
        setTarget(wanted);
        canvas.current?.scrollIntoView({ block: 'nearest' });
      },
    };
  });
  return target && !playback.isPlaying && playback.timeS === target.atS ? target.object : undefined;
};
