import type { ClassThresholds, ImageOptions } from '../../domain/options';
import type { Size } from '../../domain/raster';
import type { FrameHolding } from '../../ports/video';
import { followSphere } from './follow-around';
import { followTracks, maxHeldFrames, type Follower, type HeldMemory } from './follow-tracks';
import { trackingThresholds } from './track-limits';

export interface FollowOptions {
  readonly noObjectTracking: boolean;
  readonly options: Pick<ImageOptions, 'thresholds'> & Partial<Pick<ImageOptions, 'format'>>;
}

/** Minimum scores for detectors: with tracking also weak detections, because they may continue tracks. */
export const detectionThresholds = ({ noObjectTracking, options }: FollowOptions): ClassThresholds =>
  noObjectTracking ? options.thresholds : trackingThresholds(options.thresholds);

/** Treats each frame by itself. */
const followNothing = (): Follower => ({
  predict: () => () => [],
  expect: () => [],
  push: ({ index }, detections) => [{ index, detections }],
  finish: () => [],
});

interface Holding {
  readonly memory?: HeldMemory | undefined;
  /** Takes the pixels of the frames that are held back; whoever needs them has to call `unpark`. */
  readonly parking?: FrameHolding | undefined;
}

/** @param size of the upright frames, in px @param holding how frames are held back */
export const createFollower = (
  { noObjectTracking, options: { thresholds, format } }: FollowOptions,
  { width, height }: Size,
  { memory, parking }: Holding = {},
): Follower => {
  if (noObjectTracking) return followNothing();
  const size = { width, height };
  const held = maxHeldFrames(size, memory);
  const follow = format?.kind === 'pano' ? followSphere : followTracks;
  const follower = follow(thresholds, size, held, parking?.pixelsOf);
  if (!parking) return follower;
  return {
    ...follower,
    push: (frame, detections) => {
      const settled = follower.push(frame, detections);
      parking.park(frame);
      return settled;
    },
  };
};
