import { BLOCK_LENGTH, BLOCK_SIDE, ZIGZAG } from './jpeg-blocks';

/** Row `u` of the transform at sample `x`: half of the scaling of both directions. @see ITU-T T.81, A.3.3 */
const BASIS = Float64Array.from({ length: BLOCK_LENGTH }, (_, index) => {
  const [u, x] = [Math.floor(index / BLOCK_SIDE), index % BLOCK_SIDE];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * BLOCK_SIDE));
});

const half = new Float64Array(BLOCK_LENGTH);

/** Transforms the rows of `samples` and turns the result: two of these transform a block. */
const transformRows = (samples: Float64Array, target: Float64Array): void => {
  for (let y = 0; y < BLOCK_SIDE; y++) {
    for (let u = 0; u < BLOCK_SIDE; u++) {
      let sum = 0;
      for (let x = 0; x < BLOCK_SIDE; x++) {
        sum += (BASIS[u * BLOCK_SIDE + x] as number) * (samples[y * BLOCK_SIDE + x] as number);
      }
      target[u * BLOCK_SIDE + y] = sum;
    }
  }
};

/** Largest quantised AC coefficient that baseline files can hold. */
const LARGEST = 1_023;

/**
 * Quantised coefficients of a block.
 *
 * @param samples 64, row by row, −128..127; overwritten
 * @param steps the quantisation table, in zigzag order
 * @param target 64 coefficients in zigzag order
 */
export const forwardDct = (samples: Float64Array, steps: Uint8Array, target: Int16Array): void => {
  transformRows(samples, half);
  transformRows(half, samples);
  for (let k = 0; k < BLOCK_LENGTH; k++) {
    const value = Math.round((samples[ZIGZAG[k] as number] as number) / (steps[k] as number));
    target[k] = Math.max(-LARGEST, Math.min(LARGEST, value));
  }
};
