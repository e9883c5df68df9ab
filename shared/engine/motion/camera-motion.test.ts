import { describe, expect, it } from 'vitest';
import { scene, SIZE, square } from '../../testing/moving-thing';
import { boxOf } from '../../testing/plans';
import { createRaster, noiseRaster, plainRaster } from '../../testing/rasters';
import { shiftBetween, STILL, viewFrame, type Shift } from './camera-motion';
import type { Raster } from '../../domain/raster';

const between = (before: Raster, after: Raster): Shift => shiftBetween(viewFrame(before), viewFrame(after));
const THING = square(40, 40, 50);
const seenFrom = (x: number, y: number): Raster => scene(THING, 0, { x, y });

const withNoise = (raster: Raster, seed: number): Raster => {
  const noise = noiseRaster(raster.width, raster.height, seed).data;
  return {
    ...raster,
    data: raster.data.map((value, at) => (at % 4 === 3 ? 255 : value + (noise[at]! - 128) / 12)),
  };
};

describe("the camera's motion", () => {
  it.each([
    [3, 0],
    [-14, 9],
    [20, -15],
    [-1, -7],
  ])('is told to a px where all but something small moves by %i, %i', (x, y) => {
    const shift = between(seenFrom(0, 0), seenFrom(x, y));
    expect(Math.abs(shift.x + x)).toBeLessThan(1);
    expect(Math.abs(shift.y + y)).toBeLessThan(1);
  });

  it('is none in what noise changes', () => {
    const still = scene(THING);
    expect(between(withNoise(still, 1), withNoise(still, 2))).toEqual(STILL);
  });

  it('is none where something large passes', () => {
    const passing = (x: number): Raster => scene(boxOf(x, 20, x + 150, 170));
    expect(between(passing(60), passing(72))).toEqual(STILL);
  });

  it('is none between unrelated frames, and in plain ones', () => {
    const plain = plainRaster(SIZE.width, SIZE.height, [90, 90, 90]);
    const other = createRaster(SIZE.width, SIZE.height, (x, y) => [
      (x * y) % 256,
      (x * y) % 256,
      (x * y) % 256,
    ]);
    expect(between(plain, plain)).toEqual(STILL);
    expect(between(seenFrom(0, 0), other)).toEqual(STILL);
  });

  it('is none in frames that are too small', () => {
    const small = plainRaster(5, 3, [9, 9, 9]);
    expect(between(small, small)).toEqual(STILL);
  });
});
