import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { seededRandom } from '../../testing/rasters';
import { feather } from './feather';

/** Chamfer distance 3-4 to the nearest covered pixel, over the whole rectangle and by its definition. */
const distances = (covered: Uint8Array, width: number, height: number, max: number): Float64Array => {
  const result = new Float64Array(covered.length).fill(Infinity);
  const reach = Math.ceil(max / 3);
  covered.forEach((alpha, at) => {
    if (alpha !== 255) return;
    const [cx, cy] = [at % width, Math.floor(at / width)];
    for (let y = Math.max(0, cy - reach); y <= Math.min(height - 1, cy + reach); y++) {
      for (let x = Math.max(0, cx - reach); x <= Math.min(width - 1, cx + reach); x++) {
        const [dx, dy] = [Math.abs(x - cx), Math.abs(y - cy)];
        const distance = 3 * Math.max(dx, dy) + Math.min(dx, dy);
        result[y * width + x] = Math.min(result[y * width + x] as number, distance);
      }
    }
  });
  return result;
};

/** Blobs, single pixels, and a slit of one pixel through the largest of them. */
const blobs = (width: number, height: number, seed: number): Uint8Array => {
  const random = seededRandom(seed);
  const alpha = new Uint8Array(width * height);
  for (let blob = 0; blob < 4; blob++) {
    const [cx, cy, radius] = [random() * width, random() * height, (random() * width) / 5];
    for (let i = 0; i < alpha.length; i++) {
      if (Math.hypot((i % width) - cx, Math.floor(i / width) - cy) <= radius) alpha[i] = 255;
    }
  }
  alpha[Math.floor(random() * alpha.length)] = 255;
  const slit = Math.floor(random() * width);
  for (let y = 0; y < height; y++) alpha[y * width + slit] = 0;
  return alpha;
};

const SIZES = [
  [97, 71],
  [160, 33],
  [16, 48],
] as const;
const feathered = (hard: Uint8Array, width: number, height: number, featherPx: number): Uint8Array => {
  const soft = hard.slice();
  feather(soft, boxOf(0, 0, width, height), featherPx);
  return soft;
};

describe('a soft edge that is measured only near edges', () => {
  it.each([1, 2, 6, 17, 19])('of %i px equals the one that is measured everywhere', (featherPx) => {
    for (const [width, height] of SIZES) {
      for (let seed = 0; seed < 4; seed++) {
        const hard = blobs(width, height, seed);
        const reach = 3 * featherPx;
        const expected = Uint8Array.from(distances(hard, width, height, reach), (distance) => {
          if (distance === 0) return 255;
          return distance < reach ? Math.round(254 * (1 - distance / reach)) : 0;
        });
        expect(feathered(hard, width, height, featherPx)).toEqual(expected);
      }
    }
  });
});

describe('a soft edge that is measured in cells', () => {
  it.each([20, 29, 90, 200])('of %i px is nowhere weaker than one measured in pixels', (featherPx) => {
    for (const [width, height] of SIZES) {
      for (let seed = 0; seed < 2; seed++) {
        const hard = blobs(width, height, seed);
        const soft = feathered(hard, width, height, featherPx);
        const reach = 3 * featherPx;
        const weaker = [...distances(hard, width, height, reach)].filter((distance, i) => {
          const min = distance < reach ? Math.round(254 * (1 - distance / reach)) : 0;
          return (soft[i] as number) < min || (soft[i] === 255) !== (distance === 0);
        });
        expect(weaker).toEqual([]);
      }
    }
  });

  it.each([20, 29, 90, 200])('of %i px is hardly wider than one measured in pixels', (featherPx) => {
    const [width, height] = [420, 40];
    const hard = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) hard.fill(255, y * width, y * width + 11);
    const soft = feathered(hard, width, height, featherPx);
    const end = soft.subarray(0, width).findLastIndex((alpha) => alpha > 0);
    expect(end - 10).toBeLessThanOrEqual(1.15 * featherPx);
    expect(end - 10).toBeGreaterThanOrEqual(featherPx - 1);
  });
});
