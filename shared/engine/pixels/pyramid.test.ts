import { describe, expect, it } from 'vitest';
import { createRaster, noiseRaster, pixelAt, plainRaster } from '../../testing/rasters';
import { createPyramid } from './pyramid';

describe('the pyramid', () => {
  it('has the image itself as level 0, without a copy', () => {
    const raster = noiseRaster(8, 6, 1);
    expect(createPyramid(raster).level(0)).toBe(raster);
  });

  it('halves the sides at each level, rounded up, down to one pixel', () => {
    const pyramid = createPyramid(noiseRaster(13, 5, 2));
    const sizes = [0, 1, 2, 3, 4, 5].map((index) => {
      const { width, height, data } = pyramid.level(index);
      expect(data).toHaveLength(width * height * 4);
      return [width, height];
    });
    expect(sizes).toEqual([
      [13, 5],
      [7, 3],
      [4, 2],
      [2, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('computes each level once', () => {
    const pyramid = createPyramid(noiseRaster(16, 16, 3));
    const third = pyramid.level(3);
    expect(pyramid.level(3)).toBe(third);
    expect(pyramid.level(2)).toBe(pyramid.level(2));
  });

  it('averages blocks of 2 × 2 pixels, rounded', () => {
    const raster = createRaster(4, 2, (x, y) => [10 * x + y, 100, 255 * ((x + y) % 2)]);
    const half = createPyramid(raster).level(1);
    expect([pixelAt(half, 0, 0), pixelAt(half, 1, 0)]).toEqual([
      [6, 100, 128],
      [26, 100, 128],
    ]);
    expect(half.data[3]).toBe(255);
  });

  it('repeats the last row and column of odd sides', () => {
    const half = createPyramid(createRaster(3, 3, (x, y) => [50 * x, 50 * y, 0])).level(1);
    expect(pixelAt(half, 1, 0)).toEqual([100, 25, 0]);
    expect(pixelAt(half, 1, 1)).toEqual([100, 100, 0]);
  });

  it('averages every block of an image of several parts that a kernel takes', () => {
    const raster = noiseRaster(701, 803, 4);
    const half = createPyramid(raster).level(1);
    const wrong: number[] = [];
    for (let y = 0; y < half.height; y++) {
      for (let x = 0; x < half.width; x++) {
        const [right, lower] = [Math.min(2 * x + 1, 700), Math.min(2 * y + 1, 802)];
        const four = [2 * y, lower].flatMap((row) =>
          [2 * x, right].map((column) => pixelAt(raster, column, row)),
        );
        const green = (four.reduce((sum, pixel) => sum + pixel[1], 0) + 2) >> 2;
        if (pixelAt(half, x, y)[1] !== green) wrong.push(x, y);
      }
    }
    expect(wrong.slice(0, 2)).toEqual([]);
  });

  it('keeps a plain colour at every level', () => {
    const pyramid = createPyramid(plainRaster(37, 53, [1, 127, 254]));
    for (let index = 0; index < 7; index++) {
      expect(pixelAt(pyramid.level(index), 0, 0)).toEqual([1, 127, 254]);
    }
  });
});
