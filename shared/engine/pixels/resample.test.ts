import { describe, expect, it } from 'vitest';
import { createRaster, noiseRaster, pixelAt, plainRaster } from '../../testing/rasters';
import { fitInside, fitLongSide, stretchTo, type Letterbox } from './letterbox';
import { createPyramid } from './pyramid';
import type { Raster } from '../../domain/raster';
import { around, within } from './positions';
import { resample } from './resample';
import { planTaps, type Taps } from './taps';
import type { Tile } from './tile';

const RAW = { mean: [0, 0, 0], std: [1, 1, 1] } as const;
const wholeOf = ({ width, height }: Raster): Tile => ({ x: 0, y: 0, width, height, wraps: false });
const scaled = (raster: Raster, fit: Letterbox): Float32Array => {
  /* What was in the buffer must not show. */
  const out = new Float32Array(3 * fit.netWidth * fit.netHeight).fill(777);
  resample(createPyramid(raster), fit, RAW, out);
  return out;
};
const rgbOf = (out: Float32Array, { netWidth, netHeight }: Letterbox, x: number, y: number): number[] =>
  [0, 1, 2].map((plane) => out[plane * netWidth * netHeight + y * netWidth + x] as number);
const meanOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, v) => sum + v, 0) / values.length;

describe('an image scaled for a network', () => {
  it('is unchanged at scale 1', () => {
    const raster = noiseRaster(33, 21, 1);
    const fit = fitLongSide(wholeOf(raster), 33, 1);
    const out = scaled(raster, fit);
    for (let y = 0; y < 21; y++) {
      for (let x = 0; x < 33; x++) expect(rgbOf(out, fit, x, y)).toEqual([...pixelAt(raster, x, y)]);
    }
  });

  it('is the unchanged part of the image in a tile at scale 1', () => {
    const raster = noiseRaster(50, 40, 2);
    const fit = fitLongSide({ x: 13, y: 9, width: 20, height: 12, wraps: false }, 20, 4);
    const out = scaled(raster, fit);
    expect(rgbOf(out, fit, 0, 0)).toEqual([...pixelAt(raster, 13, 9)]);
    expect(rgbOf(out, fit, 19, 11)).toEqual([...pixelAt(raster, 32, 20)]);
  });

  it('keeps a plain colour at any scale', () => {
    const raster = plainRaster(97, 61, [11, 122, 233]);
    for (const longSide of [5, 16, 31, 48, 50, 97, 150, 400]) {
      const fit = fitLongSide(wholeOf(raster), longSide, 1);
      const out = scaled(raster, fit);
      for (let y = 0; y < fit.netHeight; y++) {
        for (let x = 0; x < fit.netWidth; x++) {
          const [r, g, b] = rgbOf(out, fit, x, y) as [number, number, number];
          if (Math.abs(r - 11) + Math.abs(g - 122) + Math.abs(b - 233) > 0.01) {
            expect.fail(`${longSide}: ${x},${y} ${r}`);
          }
        }
      }
    }
  });

  it.each([1, 2, 3, 4, 5.3, 8, 13])('keeps its mean when scaled down %f times', (times) => {
    const raster = noiseRaster(240, 120, 3);
    const fit = fitLongSide(wholeOf(raster), Math.round(240 / times), 1);
    const out = scaled(raster, fit);
    const red = meanOf(out.subarray(0, fit.netWidth * fit.netHeight));
    expect(Math.abs(red - meanOf(raster.data.filter((_, i) => i % 4 === 0)))).toBeLessThan(2);
  });

  it.each([1.5, 2, 3, 4.7, 6, 9])('loses no thin line when scaled down %f times', (times) => {
    const lines = [...Array.from({ length: 40 }, (_, i) => 30 + i)];
    for (const line of lines) {
      const raster = createRaster(120, 8, (x) => (x === line ? [255, 255, 255] : [0, 0, 0]));
      const fit = stretchTo(wholeOf(raster), Math.round(120 / times), 8);
      const row = scaled(raster, fit).subarray(0, fit.netWidth);
      const weight = row.reduce((sum, value) => sum + value, 0) / 255;
      expect(weight * (120 / fit.netWidth), `line ${line}`).toBeGreaterThan(0.6);
      expect(weight * (120 / fit.netWidth), `line ${line}`).toBeLessThan(1.4);
    }
  });

  it('has no values beyond those of its pixels', () => {
    const raster = noiseRaster(60, 40, 4);
    for (const longSide of [17, 45, 133]) {
      const out = scaled(raster, fitLongSide(wholeOf(raster), longSide, 1));
      expect(Math.min(...out)).toBeGreaterThanOrEqual(-0.001);
      expect(Math.max(...out)).toBeLessThanOrEqual(255.001);
    }
  });

  it('is black outside of the tile, after normalisation', () => {
    const raster = plainRaster(20, 10, [255, 255, 255]);
    const fit = fitLongSide(wholeOf(raster), 20, 32);
    const out = new Float32Array(3 * 32 * 32).fill(777);
    resample(createPyramid(raster), fit, { mean: [10, 20, 30], std: [2, 4, 5] }, out);
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < 32; x++) {
        expect(rgbOf(out, fit, x, y)).toEqual(x < 20 && y < 10 ? [122.5, 58.75, 45] : [-5, -5, -6]);
      }
    }
  });

  it('shows the same part of the image when a tile is scaled down', () => {
    const raster = createRaster(160, 120, (x, y) => [x, 2 * y, 0]);
    const fit = fitLongSide({ x: 64, y: 40, width: 64, height: 48, wraps: false }, 16, 1);
    const out = scaled(raster, fit);
    const [red, green] = rgbOf(out, fit, 4, 6) as [number, number, number];
    /* The middle of a network px of 4 × 4. */
    expect(Math.abs(red - (64 + 4 * 4 + 1.5))).toBeLessThan(1);
    expect(Math.abs(green - 2 * (40 + 6 * 4 + 1.5))).toBeLessThan(1);
  });

  it('repeats its edge pixels where the tile extends beyond it', () => {
    const raster = createRaster(10, 10, (x, y) => [20 * x, 20 * y, 0]);
    const fit = fitInside({ x: -5, y: -5, width: 20, height: 20, wraps: false }, 20, 20);
    const out = scaled(raster, fit);
    expect(rgbOf(out, fit, 0, 10)).toEqual([0, 100, 0]);
    expect(rgbOf(out, fit, 19, 10)).toEqual([180, 100, 0]);
    expect(rgbOf(out, fit, 10, 19)).toEqual([100, 180, 0]);
  });

  it('continues at the other side in a tile that wraps', () => {
    const raster = noiseRaster(40, 10, 5);
    const fit = fitLongSide({ x: 30, y: 0, width: 20, height: 10, wraps: true }, 20, 1);
    const out = scaled(raster, fit);
    for (let x = 0; x < 20; x++) {
      expect(rgbOf(out, fit, x, 4)).toEqual([...pixelAt(raster, (30 + x) % 40, 4)]);
    }
  });

  it('blends across the seam when a wrapping tile is scaled down', () => {
    const raster = createRaster(64, 16, (x) => (x < 32 ? [200, 0, 0] : [100, 0, 0]));
    const fit = fitLongSide({ x: 48, y: 0, width: 32, height: 16, wraps: true }, 8, 1);
    const red = [...scaled(raster, fit).subarray(0, 8)];
    expect(red.slice(0, 3).every((value) => Math.abs(value - 100) < 0.01)).toBe(true);
    expect(red.slice(5).every((value) => Math.abs(value - 200) < 0.01)).toBe(true);
  });

  it('has its planes in the network’s order, each with its own mean', () => {
    const fit = fitLongSide(wholeOf(plainRaster(4, 4, [10, 20, 30])), 4, 1);
    const out = new Float32Array(3 * 16);
    const input = { mean: [1, 2, 3], std: [1, 1, 1], channels: 'bgr' } as const;
    resample(createPyramid(plainRaster(4, 4, [10, 20, 30])), fit, input, out);
    expect(rgbOf(out, fit, 1, 1)).toEqual([27, 18, 9]);
  });

  it('has the network’s padding outside of the tile', () => {
    const raster = plainRaster(4, 2, [10, 20, 30]);
    const fit = fitLongSide(wholeOf(raster), 4, 4);
    const out = new Float32Array(3 * 16);
    const input = { mean: [1, 2, 3], std: [2, 2, 2], channels: 'bgr', padding: 114 } as const;
    resample(createPyramid(raster), fit, input, out);
    expect(rgbOf(out, fit, 3, 3)).toEqual([55.5, 56, 56.5]);
  });
});

/** The documented calculation, pixel by pixel: integer weights, levels rounded after each direction. */
const resampledPlainly = (
  raster: Raster,
  { tile, scaleX, scaleY, netWidth, netHeight }: Letterbox,
): number[] => {
  const across = planTaps(tile.x, scaleX, netWidth);
  const down = planTaps(tile.y, scaleY, netHeight);
  const sum = ({ first, count, weight }: Taps, target: number, levelAt: (at: number) => number): number => {
    let total = 128;
    for (let k = 0; k < count; k++) total += weight[target * count + k]! * levelAt(first[target]! + k);
    return total >> 8;
  };
  const column = tile.wraps ? around : within;
  const values: number[] = [];
  for (let channel = 0; channel < 3; channel++) {
    const scaledAt = Array.from({ length: raster.height }, (_, row) =>
      Array.from({ length: netWidth }, (_, x) =>
        sum(across, x, (at) => pixelAt(raster, column(at, raster.width), row)[channel]!),
      ),
    );
    for (let y = 0; y < netHeight; y++) {
      for (let x = 0; x < netWidth; x++) {
        values.push(sum(down, y, (at) => scaledAt[within(at, raster.height)]![x]!));
      }
    }
  }
  return values;
};

it.each([
  ['beyond all edges', { x: -9.3, y: -4.8, width: 260.5, height: 140.2, wraps: false }, 397, 251],
  ['across the seam of a panorama', { x: 190.4, y: 3, width: 90, height: 100, wraps: true }, 61, 70],
  ['in rows of several blocks', { x: 0, y: 0, width: 240, height: 120, wraps: false }, 1203, 90],
] as const)('a tile %s has exactly the levels of the plain calculation', (_, tile, width, height) => {
  const raster = noiseRaster(240, 120, 5);
  const fit = stretchTo(tile, width, height);
  const expected = resampledPlainly(raster, fit);
  const wrong = scaled(raster, fit).findIndex((level, i) => level !== expected[i]);
  expect(wrong).toBe(-1);
});
