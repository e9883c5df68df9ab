import type { VideoFrame } from '../ports/video';
import type { Detection } from './detection';
import type { SearchScope } from './plan-search';
import type { FollowedDetection, FollowedFrame, Follower } from './follow';
import { mapAhead } from './in-parallel';
import { scheduleSearches, type ScheduledFrame, type SearchPlan } from './search-schedule';
import type { Outlook } from './track';

/** Frames that are decoded and searched ahead of the one whose turn it is: what one step waits for, another does. */
const FRAMES_AHEAD = 4;

interface SearchedFrame {
  readonly frame: VideoFrame;
  readonly detections: readonly Detection[];
}

/** A decoded frame with everything that is to be hidden in it. */
export interface FollowedVideoFrame {
  readonly frame: VideoFrame;
  readonly detections: readonly FollowedDetection[];
}

/** Looks at a frame. */
export type SearchFrame = (frame: VideoFrame, scope: SearchScope) => Promise<readonly Detection[]>;

/**
 * Searches a video's frames, some at once, and follows what is found in their order.
 *
 * What a frame is told to expect is what was known so many frames before it as are searched at once, and no later:
 * results do not depend on which search ends first.
 *
 * @param search is not called for frames that the plan leaves out
 * @returns all frames in order: those that are settled after each, and at the end
 */
export async function* followFrames(
  frames: AsyncIterable<VideoFrame>,
  plan: SearchPlan,
  follower: Follower,
  search: SearchFrame,
): AsyncGenerator<readonly FollowedVideoFrame[]> {
  /** By index: as many as the follower holds back. */
  const held = new Map<number, VideoFrame>();
  const withFrames = (settled: readonly FollowedFrame[]): FollowedVideoFrame[] =>
    settled.map(({ index, detections }) => {
      const frame = held.get(index);
      if (!frame) throw new Error('a frame was settled that was not held');
      held.delete(index);
      return { frame, detections };
    });
  const outlooks = new Map<number, Outlook>();
  let taken = 0;
  let pushed = 0;
  const look = async ({ frame, depth }: ScheduledFrame): Promise<SearchedFrame> => {
    const known = taken++ - FRAMES_AHEAD;
    const expected = outlooks.get(known)?.(frame.timestampUs) ?? [];
    outlooks.delete(known);
    return {
      frame,
      detections: depth === 'none' ? [] : await search(frame, { depth, expected, isVideo: true }),
    };
  };
  for await (const { frame, detections } of mapAhead(scheduleSearches(frames, plan), FRAMES_AHEAD, look)) {
    held.set(frame.index, frame);
    const settled = withFrames(follower.push(frame, detections));
    outlooks.set(pushed++, follower.outlook());
    yield settled;
  }
  yield withFrames(follower.finish());
  if (held.size > 0) throw new Error('frames were left over');
}
