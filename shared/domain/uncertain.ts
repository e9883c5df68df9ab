/** Scores further away from the threshold of their class are certain enough. */
const NEAR_THRESHOLD = 0.2;

/**
 * How uncertain a score is: 1 at the threshold of its class, 0 from 0.2 on, above and below.
 *
 * @param distance score minus threshold
 */
export const uncertaintyOf = (distance: number): number =>
  Math.max(0, 1 - Math.abs(distance) / NEAR_THRESHOLD);
