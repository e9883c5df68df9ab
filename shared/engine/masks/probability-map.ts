import type { Letterbox } from '../pixels/letterbox';

/** A probability map with its place in the image. */
export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly fit: Letterbox;
}
