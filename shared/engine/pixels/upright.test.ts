import { expect, it } from 'vitest';
import { noiseRaster, pixelAt } from '../../testing/rasters';
import { cropInPlace } from './upright';

it('a cropped raster has the upper left pixels, in the same memory', () => {
  const raster = noiseRaster(8, 6, 1);
  const before = noiseRaster(8, 6, 1);
  const cropped = cropInPlace(raster, { width: 7, height: 5 });
  expect([cropped.width, cropped.height, cropped.data.length]).toEqual([7, 5, 7 * 5 * 4]);
  expect(cropped.data.buffer).toBe(raster.data.buffer);
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 7; x++) expect(pixelAt(cropped, x, y)).toEqual(pixelAt(before, x, y));
  }
});

it('a cropped raster has the pixels from its place on', () => {
  const [raster, before] = [noiseRaster(8, 6, 1), noiseRaster(8, 6, 1)];
  const cropped = cropInPlace(raster, { left: 3, top: 2, width: 4, height: 3 });
  expect([cropped.width, cropped.height]).toEqual([4, 3]);
  for (let y = 0; y < 3; y++) {
    for (let x = 0; x < 4; x++) expect(pixelAt(cropped, x, y)).toEqual(pixelAt(before, x + 3, y + 2));
  }
});

it('a raster cannot be cropped to a larger size', () => {
  expect(() => cropInPlace(noiseRaster(8, 6, 1), { top: 2, width: 4, height: 5 })).toThrow('larger');
  expect(() => cropInPlace(noiseRaster(8, 6, 1), { width: 9, height: 6 })).toThrow('larger');
});
