import { describe, expect, it } from 'vitest';
import { boxOf, found } from '../../testing/plans';
import { boxHeight, boxWidth } from '../../domain/boxes';
import { rasteriseRegion, createReusedBytes, type Coverage } from './coverage';
import { fillShape } from '../masks/fill-shape';
import type { IgnoreArea } from '../../domain/options';
import type { Region, Shape } from '../../domain/plan';
import { encodeRuns } from '../pixels/runs';

const SIZE = { width: 60, height: 50 };
const regionOf = (shape: Shape, featherPx: number): Region => ({
  id: 0,
  detection: found('face', boxOf(10, 10, 20, 20)),
  shape,
  featherPx,
  cellPx: 4,
});
const cover = (shape: Shape, featherPx: number, ignores: readonly IgnoreArea[] = []): Coverage =>
  rasteriseRegion(regionOf(shape, featherPx), { ...SIZE, ignores });
/** Alpha of any pixel of the image, 0 outside of the rectangle. */
const alphaAt = ({ box, alpha }: Coverage, x: number, y: number): number =>
  x < box.x1 || x >= box.x2 || y < box.y1 || y >= box.y2
    ? 0
    : (alpha[(y - box.y1) * boxWidth(box) + x - box.x1] as number);

/** Every pixel of the image. */
const PLACES: readonly (readonly [number, number])[] = Array.from(
  { length: SIZE.width * SIZE.height },
  (_, i) => [i % SIZE.width, Math.floor(i / SIZE.width)],
);

const withBay = (): Shape => {
  const mask = Uint8Array.from({ length: 12 * 10 }, (_, i) => {
    const [x, y] = [i % 12, Math.floor(i / 12)];
    return (x - 3) ** 2 + (y - 3) ** 2 < 10 || x + y > 16 ? 1 : 0;
  });
  return { kind: 'runs', box: boxOf(20, 15, 32, 25), runs: encodeRuns(mask) };
};
const SHAPES: readonly (readonly [string, Shape])[] = [
  ['a box', { kind: 'box', box: boxOf(15.5, 12, 40, 22.2) }],
  ['an ellipse', { kind: 'ellipse', box: boxOf(12.3, 9.9, 33.1, 35) }],
  ['a superellipse at an edge', { kind: 'superellipse', box: boxOf(-6, 20, 18, 44), exponent: 3 }],
  ['an ellipse over a corner', { kind: 'ellipse', box: boxOf(45, 35, 70, 61) }],
  ['a mask with a bay', withBay()],
];

describe.each(SHAPES)('the soft edge of %s', (_name, shape) => {
  it.each([1, 2, 5, 13])('of %i px changes no pixel inside the shape', (featherPx) => {
    const soft = cover(shape, featherPx);
    const hard = new Uint8Array(SIZE.width * SIZE.height);
    fillShape(shape, boxOf(0, 0, SIZE.width, SIZE.height), hard);
    const thinned = PLACES.filter(
      ([x, y]) => (hard[y * SIZE.width + x] === 255) !== (alphaAt(soft, x, y) === 255),
    );
    expect(thinned).toEqual([]);
  });

  it('fades with the distance, and ends at its width', () => {
    const featherPx = 6;
    const soft = cover(shape, featherPx);
    const inside = PLACES.filter(([x, y]) => alphaAt(soft, x, y) === 255);
    /* The chamfer distance is off by 8 % of the true one at most. */
    const alphaFor = (distance: number): number => Math.max(0, 254 * (1 - distance / featherPx));
    const wrong = PLACES.filter(([x, y]) => {
      const distance = Math.min(...inside.map(([a, b]) => Math.hypot(x - a, y - b)));
      const alpha = alphaAt(soft, x, y);
      if (distance === 0) return false;
      return alpha > alphaFor(0.92 * distance) + 1 || alpha < alphaFor(1.08 * distance) - 1;
    });
    expect(wrong).toEqual([]);
  });

  it('is nowhere weaker if it is wider', () => {
    const narrow = cover(shape, 4);
    const wide = cover(shape, 9);
    expect(PLACES.filter(([x, y]) => alphaAt(wide, x, y) < alphaAt(narrow, x, y))).toEqual([]);
  });
});

describe('the coverage of a region', () => {
  it('consists of whole pixels inside the image', () => {
    for (const [, shape] of SHAPES) {
      const { box, alpha } = cover(shape, 7);
      expect(Object.values(box).every(Number.isInteger)).toBe(true);
      expect(box.x1).toBeGreaterThanOrEqual(0);
      expect(box.y1).toBeGreaterThanOrEqual(0);
      expect(box.x2).toBeLessThanOrEqual(SIZE.width);
      expect(box.y2).toBeLessThanOrEqual(SIZE.height);
      expect(alpha).toHaveLength(boxWidth(box) * boxHeight(box));
    }
  });

  it('is empty for a shape outside of the image', () => {
    expect(cover({ kind: 'ellipse', box: boxOf(80, 10, 90, 20) }, 3).alpha.some(Boolean)).toBe(false);
  });

  it('is only 0 or 255 without a soft edge', () => {
    for (const [, shape] of SHAPES) {
      expect([...new Set(cover(shape, 0).alpha)].every((alpha) => alpha === 0 || alpha === 255)).toBe(true);
    }
  });

  it('is 0 in ignored areas, also in the soft edge, and unchanged elsewhere', () => {
    const area = { x: 18, y: 8, width: 9, height: 17 };
    for (const [, shape] of SHAPES) {
      const plain = cover(shape, 5);
      const spared = cover(shape, 5, [area]);
      const wrong = PLACES.filter(([x, y]) => {
        const isIgnored = x >= 18 && x < 27 && y >= 8 && y < 25;
        return alphaAt(spared, x, y) !== (isIgnored ? 0 : alphaAt(plain, x, y));
      });
      expect(wrong).toEqual([]);
    }
  });

  it('is not changed by an ignored area outside of it, or one that extends beyond the image', () => {
    const shape: Shape = { kind: 'box', box: boxOf(0, 0, 10, 10) };
    const nextTo = { x: 10, y: 0, width: 5, height: 50 };
    expect(cover(shape, 0, [nextTo]).alpha.every((alpha) => alpha === 255)).toBe(true);
    const outside = { x: -20, y: -20, width: 25, height: 25 };
    const spared = cover(shape, 0, [outside]);
    expect(alphaAt(spared, 4, 4)).toBe(0);
    expect(alphaAt(spared, 5, 4)).toBe(255);
    expect(alphaAt(spared, 4, 5)).toBe(255);
  });
});

describe('a region that is rasterised into memory of another one', () => {
  it('is covered as in memory of its own', () => {
    const allocate = createReusedBytes();
    for (const featherPx of [0, 5]) {
      for (const [, shape] of [...SHAPES, ...SHAPES.toReversed()]) {
        const region = regionOf(shape, featherPx);
        const { box, alpha } = rasteriseRegion(region, { ...SIZE, ignores: [] }, allocate);
        expect({ box, alpha: [...alpha] }).toEqual({ box, alpha: [...cover(shape, featherPx).alpha] });
      }
    }
  });
});
