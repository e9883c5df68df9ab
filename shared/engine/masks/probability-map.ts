import type { Letterbox } from '../pixels/letterbox';

/** A probability map with its place in the picture. */
export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly fit: Letterbox;
}
