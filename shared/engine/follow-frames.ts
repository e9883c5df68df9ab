import { MIN_PLATE_PART } from '../catalogue/class-rules';
import { areaRatio, intersectionOverSmaller, type Box } from '../domain/boxes';
import type { Detection } from '../domain/detection';
import type { VideoFrame } from '../ports/video';
import { mapAhead } from './runtime/in-parallel';
import { type ScheduledFrame, type ScheduleOptions, scheduleSearches } from './search/search-schedule';
import type { SearchScope } from './search/plan-search';
import type { FollowedDetection, FollowedFrame, Follower } from './track/follow-tracks';
import type { Prediction } from './track/track';

/** Number of frames that are decoded and searched ahead, so that steps overlap. */
export const FRAMES_AHEAD = 4;

/** How far a search is ahead. */
export interface SearchesAhead {
  /** In frames, at least 1; absent: `FRAMES_AHEAD`. */
  readonly ahead?: number | undefined;
}

/** The class with aimed passes: only plates have a network that scores a single place. */
const AIMED_CLASS = 'license-plate';
/** Maximum number of aimed passes in a frame, confirmed tracks first; one takes about 1.5 ms of a core. */
const MAX_AIMED_PASSES = 24;
/** Two boxes whose intersection is this share of the smaller one show the same plate. */
const SAME_PLACE = 0.3;

interface SearchedFrame extends ScheduledFrame {
  readonly detections: readonly Detection[];
}

/** A decoded frame with all objects to hide in it. */
export interface FollowedVideoFrame {
  readonly frame: VideoFrame;
  readonly detections: readonly FollowedDetection[];
}

/** Searches a frame. */
export type SearchFrame = (frame: VideoFrame, scope: SearchScope) => Promise<readonly Detection[]>;

const isAt = (a: Box, b: Box): boolean =>
  intersectionOverSmaller(a, b) >= SAME_PLACE && areaRatio(a, b) >= MIN_PLATE_PART;

/**
 * Searches again at the predicted places of tracks that were not detected in this frame.
 *
 * The prediction of a frame that was searched ahead is older, and may be wrong for plates with weak or few hits.
 */
const withAimedPass = async (
  { frame, depth, detections }: SearchedFrame,
  follower: Follower,
  search: SearchFrame,
): Promise<readonly Detection[]> => {
  if (depth === 'none') return detections;
  const known = detections.filter(({ objectClass }) => objectClass === AIMED_CLASS);
  const expected = follower
    .expect(frame)
    .filter((one) => one.objectClass === AIMED_CLASS && !known.some(({ box }) => isAt(box, one.box)))
    .slice(0, MAX_AIMED_PASSES);
  if (expected.length === 0) return detections;
  const aimedDetections = await search(frame, { depth: 'aimed', expected, isVideo: true });
  const others = aimedDetections.filter(({ box }) => !known.some((one) => isAt(one.box, box)));
  return [...detections, ...others];
};

/**
 * Searches several frames of a video concurrently, and tracks the detections in order.
 *
 * The prediction for a frame is always made a fixed number of frames earlier, so that results do not depend on the
 * search that ends first. Tracks without a detection are searched again when the frame is tracked.
 *
 * @param search searches one frame; not called for frames of depth `none`
 * @returns all frames in order, in groups: those settled after each frame, and the rest at the end
 */
export async function* followFrames(
  frames: AsyncIterable<VideoFrame>,
  { ahead = FRAMES_AHEAD, ...plan }: ScheduleOptions & SearchesAhead,
  follower: Follower,
  search: SearchFrame,
): AsyncGenerator<readonly FollowedVideoFrame[]> {
  /** The frames that the follower holds back, by index. */
  const held = new Map<number, VideoFrame>();
  const withFrames = (settled: readonly FollowedFrame[]): FollowedVideoFrame[] =>
    settled.map(({ index, detections }) => {
      const frame = held.get(index);
      if (!frame) throw new Error('a frame was settled that was not held');
      held.delete(index);
      return { frame, detections };
    });
  const predictions = new Map<number, Prediction>();
  let taken = 0;
  let pushed = 0;
  const searchNext = async ({ frame, depth }: ScheduledFrame): Promise<SearchedFrame> => {
    const known = taken++ - ahead;
    const expected = predictions.get(known)?.(frame.timestampUs) ?? [];
    predictions.delete(known);
    return {
      frame,
      depth,
      detections: depth === 'none' ? [] : await search(frame, { depth, expected, isVideo: true }),
    };
  };
  for await (const searched of mapAhead(scheduleSearches(frames, plan), ahead, searchNext)) {
    const { frame } = searched;
    held.set(frame.index, frame);
    const detections = await withAimedPass(searched, follower, search);
    const settled = withFrames(follower.push(frame, detections));
    predictions.set(pushed++, follower.predict());
    yield settled;
  }
  yield withFrames(follower.finish());
  if (held.size > 0) throw new Error('frames were left over');
}
