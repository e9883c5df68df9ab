import { WEIGHT_BITS } from '../kernels/fixed-point';

const WHOLE = 1 << WEIGHT_BITS;

/** Source positions, which follow each other, and weights for each target position. */
export interface Taps {
  /** Number of source positions for each target position; even. */
  readonly count: number;
  /** The first source position of each target position; may be beyond the ends. */
  readonly first: Int32Array;
  /** `count` values for each target position, which add up to 2⁸. */
  readonly weight: Int16Array;
}

/** Rounds weights to a sum of 2⁸. The rounding error is added to the largest weight, where its effect is smallest. */
const roundWeights = (exact: Float64Array, out: Int16Array, at: number): void => {
  let sum = 0;
  for (let k = 0; k < exact.length; k++) sum += exact[k] as number;
  let rest = WHOLE;
  let largest = at;
  for (let k = 0; k < exact.length; k++) {
    const rounded = Math.round(((exact[k] as number) * WHOLE) / sum);
    out[at + k] = rounded;
    rest -= rounded;
    if (rounded > (out[largest] as number)) largest = at + k;
  }
  out[largest] = (out[largest] as number) + rest;
};

/**
 * Plans a triangle filter, widened when scaling down so that every source pixel counts (antialiased bilinear in image
 * libraries).
 *
 * @param start first source px of the window, in source px
 * @param scale target px per source px
 */
export const planTaps = (start: number, scale: number, targets: number): Taps => {
  const radius = Math.max(1, 1 / scale);
  const needed = Math.ceil(2 * radius);
  const count = needed + (needed % 2);
  const first = new Int32Array(targets);
  const weight = new Int16Array(targets * count);
  const exact = new Float64Array(needed);
  for (let t = 0; t < targets; t++) {
    const centre = start + (t + 0.5) / scale - 0.5;
    const from = Math.floor(centre - radius) + 1;
    for (let k = 0; k < needed; k++) exact[k] = Math.max(0, 1 - Math.abs(from + k - centre) / radius);
    first[t] = from;
    roundWeights(exact, weight, t * count);
  }
  return { count, first, weight };
};
