import type { VideoFrame } from '../../ports/video';
import type { QualityPreset } from '../../domain/options';
import { US_PER_SECOND } from '../../domain/time-units';
import { isSceneCut, signFrame, type FrameSignature } from '../motion/scene-cut';
import { presetOf } from '../detect/quality-presets';
import { TRACKING, TRUST } from '../track/track-limits';

/**
 * How closely a frame is looked at: `quick` finds what is near and what is followed already, for a fraction of the time
 * that finding all takes.
 */
export type SearchDepth = 'whole' | 'quick' | 'none';

/** A frame, and how closely detectors look at it. */
export interface ScheduledFrame {
  readonly frame: VideoFrame;
  readonly depth: SearchDepth;
}

/** Which frames of a video are searched for everything, and what is done with the others. */
export interface SearchPlan {
  /** At least every Nth frame is searched as a whole, 1 for all. */
  readonly every: number;
  readonly between: Exclude<SearchDepth, 'whole'>;
}

/**
 * Longest time between two frames that are searched as a whole: over no more time is an object carried back that was
 * found once, and what was between them must be reached from both.
 */
const LONGEST_GAP_US = TRACKING.carryBackSeconds * Math.min(TRUST.share, TRUST.sharePerHit) * US_PER_SECOND;

/**
 * How a video is searched.
 *
 * @param detectEvery frames without a client's wish for speed are all looked at, most of them quickly
 * @param quality a preset may have each of them searched as a whole; a client's `detectEvery` counts for more
 */
export const planSearches = (
  isFollowed: boolean,
  detectEvery: number,
  quality?: QualityPreset,
): SearchPlan => {
  const isEachWhole = detectEvery === 1 && presetOf(quality).searchesEachFrame;
  // What is not followed has to be found in each frame.
  if (!isFollowed || isEachWhole) return { every: 1, between: 'none' };
  return detectEvery === 1
    ? { every: Number.POSITIVE_INFINITY, between: 'quick' }
    : { every: detectEvery, between: 'none' };
};

interface Signed {
  readonly frame: VideoFrame;
  readonly signature: FrameSignature;
}

/**
 * Chooses which frames are searched as a whole: every Nth, none too late, and each first and last of a scene, as
 * nothing is followed across a cut.
 */
export async function* scheduleSearches(
  frames: AsyncIterable<VideoFrame>,
  { every, between }: SearchPlan,
): AsyncGenerator<ScheduledFrame> {
  if (every === 1) {
    for await (const frame of frames) yield { frame, depth: 'whole' };
    return;
  }
  let before: Signed | undefined;
  let searched: VideoFrame | undefined;
  const decide = ({ frame, signature }: Signed, next: Signed | undefined): ScheduledFrame => {
    const isWhole =
      !searched ||
      !before ||
      !next ||
      frame.index - searched.index >= every ||
      next.frame.timestampUs - searched.timestampUs > LONGEST_GAP_US ||
      isSceneCut(before.signature, signature) ||
      isSceneCut(signature, next.signature);
    if (isWhole) searched = frame;
    return { frame, depth: isWhole ? 'whole' : between };
  };
  let held: Signed | undefined;
  for await (const frame of frames) {
    const next = { frame, signature: signFrame(frame.raster) };
    if (held) {
      yield decide(held, next);
      before = held;
    }
    held = next;
  }
  if (held) yield decide(held, undefined);
}
