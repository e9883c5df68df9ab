import { describe, expect, it } from 'vitest';
import { createRaster, pixelAt } from '../../testing/rasters';
import type { Raster } from '../../domain/raster';
import { i420OfRaster, rasterOfYuv, type YuvCoding } from './yuv';

const CODINGS = (['bt601', 'bt709', 'bt2020'] as const).flatMap((matrix) =>
  [false, true].map((fullRange): YuvCoding => ({ matrix, fullRange })),
);

/** As a decoder hands it over. */
const decoded = (raster: Raster, coding: YuvCoding): Raster => {
  const { width, height, data } = i420OfRaster(raster, coding);
  const size = width * height;
  return rasterOfYuv(
    {
      width,
      height,
      y: data.subarray(0, size),
      u: data.subarray(size, size * 1.25),
      v: data.subarray(size * 1.25),
      strideY: width,
      strideUv: width / 2,
      shiftX: 1,
      shiftY: 1,
    },
    coding,
  );
};

const far = (a: number, b: number): boolean => Math.abs(a - b) > 2;

describe.each(CODINGS)('colours in YUV: $matrix, full range $fullRange', (coding) => {
  it('convert to YUV and back, including saturated ones', () => {
    const levels = [0, 1, 17, 128, 200, 254, 255];
    for (const red of levels) {
      for (const green of levels) {
        const raster = createRaster(levels.length * 2, 2, (x) => [red, green, levels[x >> 1]!]);
        const back = decoded(raster, coding);
        const wrong = raster.data.filter((value, at) => far(value, back.data[at]!));
        expect([...wrong]).toEqual([]);
      }
    }
  });

  it('repeat the last pixel of an odd side', () => {
    const raster = createRaster(5, 3, (x, y) => [x * 40, y * 80, 90]);
    const back = decoded(raster, coding);
    expect([back.width, back.height]).toEqual([6, 4]);
    expect(pixelAt(back, 5, 1)[1]).toBe(pixelAt(back, 4, 1)[1]);
    expect(Math.abs(pixelAt(back, 5, 3)[1] - pixelAt(raster, 4, 2)[1])).toBeLessThanOrEqual(2);
  });
});

it('have the luma of the standards', () => {
  const white = (coding: YuvCoding) =>
    i420OfRaster(
      createRaster(2, 2, () => [255, 255, 255]),
      coding,
    ).data;
  const red = (coding: YuvCoding) =>
    i420OfRaster(
      createRaster(2, 2, () => [255, 0, 0]),
      coding,
    ).data;
  expect([...white({ matrix: 'bt709', fullRange: false })].slice(3)).toEqual([235, 128, 128]);
  expect([...white({ matrix: 'bt601', fullRange: true })].slice(3)).toEqual([255, 128, 128]);
  expect([...red({ matrix: 'bt709', fullRange: false })].slice(3)).toEqual([63, 102, 240]);
  expect([...red({ matrix: 'bt601', fullRange: false })].slice(3)).toEqual([81, 90, 240]);
});
