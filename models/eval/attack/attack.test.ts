import { describe, expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { boxOf } from '#shared/testing/plans';
import { createRandom } from '../video/random';
import { deconvolvePlane } from './deconvolve';
import { averageFrames, hide } from './hide';
import { charactersInCommon, identify, scoreReadings } from './statistics';

describe('identification', () => {
  const diagonal = (objects: number, own: number, others: number): number[][] =>
    Array.from({ length: objects }, (_, i) =>
      Array.from({ length: objects }, (__, j) => (i === j ? own : others)),
    );

  it('is complete if each face is most similar to itself', () => {
    expect(identify(diagonal(20, 0.9, 0.1))).toEqual(Array(20).fill(1));
  });

  it('is at chance if all faces are equally similar', () => {
    for (const chance of identify(diagonal(20, 0.5, 0.5))) expect(chance).toBeCloseTo(1 / 20);
  });

  it('is drawn for galleries of sixty: a face that one of 119 others exceeds is named if that one is absent', () => {
    const likeness = diagonal(120, 1, 0);
    likeness[0]![7] = 2;
    expect(identify(likeness)[0]).toBeCloseTo(60 / 119);
  });
});

describe('reading', () => {
  it('counts the characters that are read in their order', () => {
    expect(charactersInCommon('AB123', 'XA1Y23')).toBe(4);
    expect(charactersInCommon('AB', '')).toBe(0);
  });

  it('compares the text with other plates, to detect text that would match any plate', () => {
    const scored = scoreReadings(['AAAA', 'BBBB'], ['AAAA', 'AAAA']);
    expect(scored).toMatchObject({ own: { mean: 0.5 }, chance: 0.5, whole: 0.5 });
  });
});

describe('deconvolution', () => {
  it('restores detail that a plain blur only spreads', () => {
    const width = 60;
    const sharp = Float32Array.from({ length: width }, (_, x) => (x % 20 < 10 ? 200 : 50));
    const blurred = Float32Array.from({ length: width }, (_, x) =>
      [-2, -1, 0, 1, 2].reduce(
        (sum, off) => sum + (sharp[Math.min(Math.max(x + off, 0), width - 1)] as number) / 5,
        0,
      ),
    );
    const error = (values: Float32Array): number =>
      values.reduce((sum, value, i) => sum + Math.abs(value - (sharp[i] as number)), 0);
    expect(error(deconvolvePlane(blurred, width, 1, 5))).toBeLessThan(0.6 * error(blurred));
  });
});

describe('the input of an attack', () => {
  const image = createRaster(80, 80, (x, y) => [x * 3, y * 3, 90]);
  const face = boxOf(25, 25, 55, 55);

  it('excludes the surroundings of the face', () => {
    const { raster } = hide(image, 'face', face, 'blacken');
    expect([...raster.data.subarray(0, 3)]).toEqual([127, 127, 127]);
    const middle = 4 * (40 * 80 + 40);
    expect([...raster.data.subarray(middle, middle + 3)]).toEqual([0, 0, 0]);
  });

  it('has more detail in the mean of many frames than in one, so that this attack is meaningful', () => {
    /** Number of different levels in the face's middle column and row, because the box moves in both directions. */
    const levels = (raster: { data: ArrayLike<number> }): number =>
      new Set(
        Array.from({ length: 30 }, (_, i) => [
          raster.data[4 * (40 * 80 + 25 + i)],
          raster.data[4 * ((25 + i) * 80 + 40) + 1],
        ]).flat(),
      ).size;
    const once = levels(hide(image, 'face', face, 'pixelate').raster);
    const settings = { method: 'pixelate', frames: 16, random: createRandom(1) } as const;
    const often = levels(averageFrames(image, 'face', face, settings).raster);
    expect(often).toBeGreaterThan(2 * once);
  });
});
