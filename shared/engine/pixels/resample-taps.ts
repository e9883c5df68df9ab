/** Weights are whole numbers that add up to 2⁸ for each target position, so that a plain colour does not change. */
export const WEIGHT_BITS = 8;
const WHOLE = 1 << WEIGHT_BITS;

/** Source positions and weights for each target position. */
export interface Taps {
  /** Number of source positions for each target position. */
  readonly count: number;
  /** `count` values for each target position. */
  readonly index: Int32Array;
  readonly weight: Int32Array;
}

/** Rounds weights to a sum of 2⁸. The rounding error is added to the largest weight, where its effect is smallest. */
const roundWeights = (exact: Float64Array, out: Int32Array, at: number): void => {
  const sum = exact.reduce((total, w) => total + w, 0);
  let rest = WHOLE;
  let largest = at;
  exact.forEach((w, k) => {
    const rounded = Math.round((w * WHOLE) / sum);
    out[at + k] = rounded;
    rest -= rounded;
    if (rounded > (out[largest] as number)) largest = at + k;
  });
  out[largest] = (out[largest] as number) + rest;
};

/**
 * Plans a triangle filter, widened when scaling down so that every source pixel counts (antialiased bilinear in image
 * libraries).
 *
 * @param start first source px of the window, in source px
 * @param scale target px per source px
 * @param wrap whether source positions after the end continue at the beginning (panoramas) instead of repeating the
 * last
 */
export const planTaps = (
  start: number,
  scale: number,
  targets: number,
  sourceLength: number,
  wrap: boolean,
): Taps => {
  const radius = Math.max(1, 1 / scale);
  const count = Math.ceil(2 * radius);
  const index = new Int32Array(targets * count);
  const weight = new Int32Array(targets * count);
  const exact = new Float64Array(count);
  for (let t = 0; t < targets; t++) {
    const centre = start + (t + 0.5) / scale - 0.5;
    const first = Math.floor(centre - radius) + 1;
    for (let k = 0; k < count; k++) {
      const at = first + k;
      exact[k] = Math.max(0, 1 - Math.abs(at - centre) / radius);
      index[t * count + k] = wrap
        ? ((at % sourceLength) + sourceLength) % sourceLength
        : Math.min(Math.max(at, 0), sourceLength - 1);
    }
    roundWeights(exact, weight, t * count);
  }
  return { count, index, weight };
};
