import type { VideoFrame } from '../../ports/video';
import { US_PER_SECOND } from '../../domain/plan';
import { isSceneCut, signFrame, type FrameSignature } from '../motion/scene-cut';
import { TRACKING, TRUST } from '../track/track-limits';

/** Search depth of a frame: `quick` detects near objects and current tracks, in a fraction of the time of `whole`. */
export type SearchDepth = 'whole' | 'quick' | 'none';

/** A frame, and how closely it is searched. */
export interface ScheduledFrame {
  readonly frame: VideoFrame;
  readonly depth: SearchDepth;
}

/** The interval of completely searched frames, and the search depth of the others. */
export interface ScheduleOptions {
  /** At least every Nth frame is searched completely; 1 for all. */
  readonly every: number;
  readonly between: Exclude<SearchDepth, 'whole'>;
}

/**
 * Maximum time between two completely searched frames: at most the time for which an object with a single hit is hidden
 * before this hit, so that all frames in between are covered.
 */
const LONGEST_GAP_US = TRACKING.coastBackSeconds * Math.min(TRUST.share, TRUST.sharePerHit) * US_PER_SECOND;

/**
 * Plans the search of a video.
 *
 * @param detectEvery if absent, all frames are searched, most of them quickly
 */
export const planSearches = (isFollowed: boolean, detectEvery: number): ScheduleOptions => {
  // Without tracking, objects have to be detected in each frame.
  if (!isFollowed) return { every: 1, between: 'none' };
  return detectEvery === 1
    ? { every: Number.POSITIVE_INFINITY, between: 'quick' }
    : { every: detectEvery, between: 'none' };
};

interface Signed {
  readonly frame: VideoFrame;
  readonly signature: FrameSignature;
}

/**
 * Chooses which frames are searched completely: every Nth, at most the maximum time apart, and the first and last of
 * each scene, because no track crosses a cut.
 */
export async function* scheduleSearches(
  frames: AsyncIterable<VideoFrame>,
  { every, between }: ScheduleOptions,
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
