import { useRef, useState, type RefObject, useEffect } from 'react';
import type { Size } from '#shared/domain/raster';
import type { FoundObject } from '../../state/media-item';

/**
 * Lets others go to a moment of the video, and know the one that is in view.
 *
 * @param change see `Playhead`
 * @returns what is marked at the moment in view, until the video moves on
 */
export const useSeek = (
  playback: Playback,
  canvas: RefObject<HTMLElement | null>,
  playhead: RefObject<Playhead>,
  change?: (object: FoundObject) => void,
): FoundObject | undefined => {
  const [target, setTarget] = useState<SeekTarget | null>(null);
  useEffect(() => {
    playhead.current = {
      nowS: playback.currentTimeS,
      ...(change && { change }),
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

/** A position of the video to seek to. */
export interface SeekTarget {
  readonly atS: number;
  /** Object to highlight there. */
  readonly object?: FoundObject;
}

/** The moment of the video that is in view; made by the stage, used by the panel. */
export interface Playhead {
  seek(target: SeekTarget): void;
  nowS(): number;
  /** Lets a person change the place and the class of a track; absent where the video cannot be edited. */
  change?(object: FoundObject): void;
}

/** More than this apart, and one sees two moments at once; less is corrected only when playing stops. */
const DRIFT_S = 0.12;

/** Plays original and result at the same time position: the result, once there is one, leads. */
export const usePlayback = () => {
  const original = useRef<HTMLVideoElement>(null);
  const result = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState({ isPlaying: false, timeS: 0, durationS: 0 });

  const leader = (): HTMLVideoElement | null => result.current ?? original.current;
  const follower = (): HTMLVideoElement | null => (result.current ? original.current : null);
  const align = (toleranceS: number): void => {
    const [lead, follow] = [leader(), follower()];
    if (lead && follow && Math.abs(lead.currentTime - follow.currentTime) > toleranceS) {
      follow.currentTime = lead.currentTime;
    }
  };
  const look = (): void => {
    const lead = leader();
    if (!lead) return;
    const { paused, currentTime, duration } = lead;
    if (paused) follower()?.pause();
    align(paused ? 0 : DRIFT_S);
    setState({ isPlaying: !paused, timeS: currentTime, durationS: Number.isFinite(duration) ? duration : 0 });
  };
  /** A result that took another's place is shown at the moment that was in view. */
  const resume = (): void => {
    const lead = leader();
    if (lead && lead.currentTime === 0 && state.timeS > 0) lead.currentTime = state.timeS;
    look();
  };
  const play = (video: HTMLVideoElement | null): void => {
    video?.play().catch(() => undefined); // not allowed, or gone: the button still says "play"
  };
  return {
    original,
    result,
    ...state,
    /** The one of both that is listened to. */
    leader,
    toggle: (): void => {
      if (!leader()?.paused) return leader()?.pause();
      align(0);
      play(leader());
      play(follower());
    },
    pause: () => leader()?.pause(),
    /** More exact than `timeS`, which is updated a few times per second. */
    currentTimeS: () => leader()?.currentTime ?? 0,
    /** Of the images as they are shown: where pixels are not square, another shape than that of the frames. */
    shownSize: (): Size | undefined => {
      const { videoWidth: width = 0, videoHeight: height = 0 } = leader() ?? {};
      return width > 0 && height > 0 ? { width, height } : undefined;
    },
    seek: (timeS: number): void => {
      for (const video of [leader(), follower()]) if (video) video.currentTime = timeS;
      setState((before) => ({ ...before, timeS }));
    },
    /** For each of the two: the one that leads is listened to. */
    handlers: { onLoadedMetadata: resume, onTimeUpdate: look, onPlay: look, onPause: look },
  };
};
export type Playback = ReturnType<typeof usePlayback>;
