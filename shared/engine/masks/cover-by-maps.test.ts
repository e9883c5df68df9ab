import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { seededRandom } from '../../testing/rasters';
import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { coverByMaps, type ProbabilityMap } from './cover-by-maps';
import { stretchTo } from '../pixels/letterbox';

/** Value of a map at a point of the image: bilinear between the cells' middles, with the outermost cells repeated. */
const valueAt = ({ data, fit }: ProbabilityMap, x: number, y: number): number => {
  const place = (at: number, origin: number, scale: number, length: number): number =>
    Math.min(Math.max((at + 0.5 - origin) * scale - 0.5, 0), length - 1);
  const u = place(x, fit.tile.x, fit.scaleX, fit.netWidth);
  const v = place(y, fit.tile.y, fit.scaleY, fit.netHeight);
  const cell = (column: number, row: number): number =>
    data[Math.min(row, fit.netHeight - 1) * fit.netWidth + Math.min(column, fit.netWidth - 1)] as number;
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [right, bottom] = [u - left, v - top];
  const upper = cell(left, top) * (1 - right) + cell(left + 1, top) * right;
  const lower = cell(left, top + 1) * (1 - right) + cell(left + 1, top + 1) * right;
  return upper * (1 - bottom) + lower * bottom;
};

/** A figure with a hole, its edge blurred, its cells a little noisy. */
const mapOver = (box: Box, columns: number, rows: number, seed: number): ProbabilityMap => {
  const random = seededRandom(seed);
  const data = Float32Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [((i % columns) + 0.5) / columns - 0.5, (Math.floor(i / columns) + 0.5) / rows - 0.5];
    const inside = Math.min(0.35 - Math.hypot(x, y), Math.hypot(x - 0.1, y) - 0.08);
    return Math.min(1, Math.max(0, 0.5 + 8 * inside)) * (0.9 + 0.1 * random());
  });
  const tile = { x: box.x1, y: box.y1, width: boxWidth(box), height: boxHeight(box), wraps: false };
  return { data, fit: stretchTo(tile, columns, rows) };
};

const coverOf = (maps: readonly ProbabilityMap[], box: Box, threshold: number): Uint8Array => {
  const mask = new Uint8Array(boxWidth(box) * boxHeight(box));
  let last = 0;
  coverByMaps(maps, box, threshold, (from, to) => {
    expect(from).toBeGreaterThanOrEqual(last);
    mask.fill(1, from, to);
    last = to;
  });
  return mask;
};

describe('the mask of probability maps', () => {
  it.each([
    [boxOf(20, 30, 221, 187), 'larger than the maps’ cells'],
    [boxOf(-5, 3, 12, 11), 'smaller than them'],
    [boxOf(100, 100, 140, 460), 'partly next to the maps'],
  ])('equals the result of testing each pixel: $0, $1', (box) => {
    const maps = [
      mapOver(boxOf(10, 20, 230, 200), 64, 64, 1),
      mapOver(boxOf(-20, 10, 260, 230), 48, 24, 2),
      mapOver(boxOf(20.5, 30.25, 221, 187), 9, 17, 3),
    ];
    for (const some of [maps, maps.slice(1), maps.slice(2)]) {
      for (const threshold of [0.05, 0.25, 0.5, 0.75 * some.length]) {
        const mask = coverOf(some, box, threshold);
        const wrong = [...mask.keys()].filter((i) => {
          const [x, y] = [box.x1 + (i % boxWidth(box)), box.y1 + Math.floor(i / boxWidth(box))];
          const sum = some.reduce((total, map) => total + valueAt(map, x, y), 0);
          return Math.abs(sum - threshold) > 1e-5 && mask[i] !== (sum > threshold ? 1 : 0);
        });
        expect(wrong).toEqual([]);
      }
    }
  });

  it('includes pixels exactly at the threshold', () => {
    const flat = mapOver(boxOf(0, 0, 40, 40), 8, 8, 1);
    flat.data.fill(0.5);
    expect(coverOf([flat], boxOf(0, 0, 40, 40), 0.5).every((covered) => covered === 1)).toBe(true);
  });

  it('is empty for NaN', () => {
    const unknown = mapOver(boxOf(0, 0, 40, 40), 8, 8, 1);
    unknown.data.fill(Number.NaN);
    expect(coverOf([unknown], boxOf(0, 0, 40, 40), 0.5).some(Boolean)).toBe(false);
  });
});
