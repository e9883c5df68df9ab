import type { VideoFrame } from '../ports/video';
import { isSceneCut, signFrame, type FrameSignature } from './scene-cut';
import { TRACKING, TRUST } from './track-limits';

/** A frame, and whether detectors look at it. */
export interface ScheduledFrame {
  readonly frame: VideoFrame;
  readonly isSearched: boolean;
}

/**
 * Longest time between two frames that are looked at: over no more time is an object carried back that was found once,
 * and what was between them must be reached from both.
 */
const LONGEST_GAP_US = TRACKING.carryBackSeconds * Math.min(TRUST.share, TRUST.sharePerFind) * 1e6;

interface Signed {
  readonly frame: VideoFrame;
  readonly signature: FrameSignature;
}

/**
 * Chooses which frames detectors look at: every Nth, and each first and last of a scene, as nothing is followed across a
 * cut.
 *
 * @param every 1 for all frames
 */
export async function* scheduleSearches(
  frames: AsyncIterable<VideoFrame>,
  every: number,
): AsyncGenerator<ScheduledFrame> {
  if (every === 1) {
    for await (const frame of frames) yield { frame, isSearched: true };
    return;
  }
  let before: Signed | undefined;
  let searched: VideoFrame | undefined;
  const decide = ({ frame, signature }: Signed, next: Signed | undefined): ScheduledFrame => {
    const isSearched =
      !searched ||
      !before ||
      !next ||
      frame.index - searched.index >= every ||
      next.frame.timestampUs - searched.timestampUs > LONGEST_GAP_US ||
      isSceneCut(before.signature, signature) ||
      isSceneCut(signature, next.signature);
    if (isSearched) searched = frame;
    return { frame, isSearched };
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
