import type { ClassThresholds, ImageOptions } from '../../domain/options';
import type { Size } from '../../domain/raster';
import { followSphere } from './follow-around';
import { followTracks, heldFrames, type Follower } from './follow-tracks';
import { trackingThresholds } from './track-limits';

export interface FollowOptions {
  readonly noObjectTracking: boolean;
  readonly options: Pick<ImageOptions, 'thresholds'> & Partial<Pick<ImageOptions, 'format'>>;
}

/** Minimum scores for detectors: with tracking also weak detections, because they may continue tracks. */
export const detectionThresholds = ({ noObjectTracking, options }: FollowOptions): ClassThresholds =>
  noObjectTracking ? options.thresholds : trackingThresholds(options.thresholds);

/** Treats each frame by itself (spec: `no-object-tracking`). */
const followNothing = (): Follower => ({
  predict: () => () => [],
  expect: () => [],
  push: ({ index }, detections) => [{ index, detections }],
  finish: () => [],
});

/** @param size of the upright frames, in px @param sharers see `heldFrames` */
export const createFollower = (
  { noObjectTracking, options: { thresholds, format } }: FollowOptions,
  { width, height }: Size,
  sharers = 1,
): Follower => {
  if (noObjectTracking) return followNothing();
  const size = { width, height };
  const held = heldFrames(size, sharers);
  return format?.kind === 'pano'
    ? followSphere(thresholds, size, held)
    : followTracks(thresholds, size, held);
};
