import { describe, expect, it } from 'vitest';
import { createRaster } from '../../testing/rasters';
import { stretchTo } from './letterbox';
import { createPyramid } from './pyramid';
import { resample } from './resample';
import { resampleTurned } from './resample-turned';

const NORMALISATION = { mean: [10, 20, 30], std: [2, 2, 2] } as const;
/** Smooth, so that the two filters differ little. */
const IMAGE = createPyramid(
  createRaster(80, 60, (x, y) => [2 * x, 3 * y, Math.round(60 + 50 * Math.sin((x + y) / 9))]),
);
const tile = { x: 20, y: 20, width: 32, height: 16, wraps: false };

const turned = (angle: number, part = tile): Float32Array => {
  const out = new Float32Array(3 * 32 * 16);
  resampleTurned(IMAGE, { ...stretchTo(part, 32, 16), angle }, NORMALISATION, out);
  return out;
};

describe('a turned tile', () => {
  it('is the level one at an angle of zero', () => {
    const level = new Float32Array(3 * 32 * 16);
    resample(IMAGE, stretchTo(tile, 32, 16), NORMALISATION, level);
    turned(0).forEach((value, i) => expect(Math.abs(value - level[i]!)).toBeLessThanOrEqual(0.5));
  });

  it('shows the image from below to above along its rows after a quarter turn back', () => {
    const greens = turned(-Math.PI / 2).subarray(32 * 16, 32 * 16 + 32);
    const [first, last] = [greens[0]! * 2 + 20, greens[31]! * 2 + 20];
    // The centre is at 28 px; the row reaches 15.5 px to both sides.
    expect(first / 3).toBeCloseTo(28 - 0.5 + 15.5, 1);
    expect(last / 3).toBeCloseTo(28 - 0.5 - 15.5, 1);
  });

  it('repeats the image’s edge beyond it', () => {
    const reds = turned(0.3, { ...tile, x: -100 }).subarray(0, 32);
    reds.forEach((value) => expect(value).toBeCloseTo(-5));
  });

  it('continues at the other side if the image wraps', () => {
    const reds = turned(0, { ...tile, x: 80, wraps: true }).subarray(0, 32);
    expect(reds[3]! * 2 + 10).toBeCloseTo(6);
  });
});
