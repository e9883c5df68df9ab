import { type Raster, RGBA } from '#shared/domain/raster';
import type { HiddenObject } from './hide';

const ITERATIONS = 15;
const MIN_RESPONSE = 1e-3;

/** Values of a plane along one axis. */
interface Line {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

/** Mean over windows of `width` along a line, with repeated edges. */
const boxBlurAlong = (
  values: Float32Array,
  { start, count, step }: Line,
  width: number,
  out: Float32Array,
): void => {
  const before = Math.floor((width - 1) / 2);
  const at = (i: number): number => values[start + Math.min(Math.max(i, 0), count - 1) * step] as number;
  let sum = 0;
  for (let k = -before; k < width - before; k++) sum += at(k);
  for (let i = 0; i < count; i++) {
    out[start + i * step] = sum / width;
    sum += at(i + width - before) - at(i - before);
  }
};

const boxBlur = (plane: Float32Array, width: number, height: number, kernel: number): Float32Array => {
  const across = new Float32Array(plane.length);
  const out = new Float32Array(plane.length);
  for (let y = 0; y < height; y++) {
    boxBlurAlong(plane, { start: y * width, count: width, step: 1 }, kernel, across);
  }
  for (let x = 0; x < width; x++) {
    boxBlurAlong(across, { start: x, count: height, step: width }, kernel, out);
  }
  return out;
};

/**
 * Richardson–Lucy deconvolution of a plane with a square kernel.
 *
 * @param kernel side of the square, px
 * @see Richardson 1972, doi 10.1364/JOSA.62.000055
 */
export const deconvolvePlane = (
  seen: Float32Array,
  width: number,
  height: number,
  kernel: number,
): Float32Array => {
  let guess = seen.slice();
  for (let i = 0; i < ITERATIONS; i++) {
    const blurred = boxBlur(guess, width, height, kernel);
    const ratio = seen.map((value, k) => value / Math.max(MIN_RESPONSE, blurred[k] as number));
    const correction = boxBlur(ratio, width, height, kernel);
    guess = guess.map((value, k) => value * (correction[k] as number));
  }
  return guess;
};

/** Tries to reverse the averaging, with the known side of its cells. */
export const deconvolve = ({ raster, box, cellPx }: HiddenObject): HiddenObject => {
  const { width, height, data } = raster;
  const kernel = Math.max(2, Math.round(cellPx));
  const out: Raster = { width, height, data: Uint8Array.from(data) };
  for (let channel = 0; channel < 3; channel++) {
    const plane = Float32Array.from({ length: width * height }, (_, i) => data[RGBA * i + channel] as number);
    deconvolvePlane(plane, width, height, kernel).forEach((value, i) => {
      out.data[RGBA * i + channel] = Math.min(255, Math.max(0, Math.round(value)));
    });
  }
  return { raster: out, box, cellPx };
};
