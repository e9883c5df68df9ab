import { describe, expect, it } from 'vitest';
import { boxOf, found } from '../testing/plans';
import { boxHeight, boxWidth } from './boxes';
import { coverRegion, type Coverage } from './coverage';
import { fillShape } from './fill-shape';
import type { IgnoreArea } from './options';
import type { Region, Shape } from './plan';
import { encodeRuns } from './runs';

const SIZE = { width: 60, height: 50 };
const regionOf = (shape: Shape, featherPx: number): Region => ({
  id: 0,
  detection: found('face', boxOf(10, 10, 20, 20)),
  shape,
  featherPx,
  cellPx: 4,
});
const cover = (shape: Shape, featherPx: number, ignores: readonly IgnoreArea[] = []): Coverage =>
  coverRegion(regionOf(shape, featherPx), { ...SIZE, ignores });
/** Alpha of any pixel of the picture, 0 outside the rectangle. */
const alphaAt = ({ box, alpha }: Coverage, x: number, y: number): number =>
  x < box.x1 || x >= box.x2 || y < box.y1 || y >= box.y2
    ? 0
    : (alpha[(y - box.y1) * boxWidth(box) + x - box.x1] as number);

const heart = (): Shape => {
  const mask = new Uint8Array(12 * 10);
  for (let y = 0; y < 10; y++)
    for (let x = 0; x < 12; x++) mask[y * 12 + x] = (x - 3) ** 2 + (y - 3) ** 2 < 10 || x + y > 16 ? 1 : 0;
  return { kind: 'runs', box: boxOf(20, 15, 32, 25), runs: encodeRuns(mask) };
};
const SHAPES: readonly (readonly [string, Shape])[] = [
  ['a box', { kind: 'box', box: boxOf(15.5, 12, 40, 22.2) }],
  ['an ellipse', { kind: 'ellipse', box: boxOf(12.3, 9.9, 33.1, 35) }],
  ['a superellipse at an edge', { kind: 'superellipse', box: boxOf(-6, 20, 18, 44), exponent: 3 }],
  ['an ellipse over a corner', { kind: 'ellipse', box: boxOf(45, 35, 70, 61) }],
  ['a mask with a bay', heart()],
];

describe.each(SHAPES)('the soft edge of %s', (_name, shape) => {
  it.each([1, 2, 5, 13])('of %i px thins the protection nowhere inside', (featherPx) => {
    const soft = cover(shape, featherPx);
    const hard = new Uint8Array(SIZE.width * SIZE.height);
    fillShape(shape, boxOf(0, 0, SIZE.width, SIZE.height), hard);
    for (let y = 0; y < SIZE.height; y++) {
      for (let x = 0; x < SIZE.width; x++) {
        if (hard[y * SIZE.width + x] === 255) expect(alphaAt(soft, x, y)).toBe(255);
        else expect(alphaAt(soft, x, y)).toBeLessThan(255);
      }
    }
  });

  it('fades with the distance, and ends where it should', () => {
    const featherPx = 6;
    const soft = cover(shape, featherPx);
    const inside: [number, number][] = [];
    for (let y = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++) if (alphaAt(soft, x, y) === 255) inside.push([x, y]);
    const byDistance: [number, number][] = [];
    for (let y = 0; y < SIZE.height; y++) {
      for (let x = 0; x < SIZE.width; x++) {
        const distance = Math.min(...inside.map(([a, b]) => Math.hypot(x - a, y - b)));
        byDistance.push([distance, alphaAt(soft, x, y)]);
      }
    }
    byDistance.sort((a, b) => a[0] - b[0]);
    /* The chamfer distance is off by 8 % of the true one at most. */
    for (const [distance, alpha] of byDistance) {
      if (distance === 0) continue;
      expect(alpha).toBeLessThanOrEqual(Math.max(0, 254 * (1 - (0.92 * distance) / featherPx)) + 1);
      expect(alpha).toBeGreaterThanOrEqual(Math.max(0, 254 * (1 - (1.08 * distance) / featherPx)) - 1);
    }
  });

  it('never gets weaker by being wider', () => {
    const narrow = cover(shape, 4);
    const wide = cover(shape, 9);
    for (let y = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++)
        expect(alphaAt(wide, x, y)).toBeGreaterThanOrEqual(alphaAt(narrow, x, y));
  });
});

describe('what a region covers', () => {
  it('lies on whole pixels inside the picture', () => {
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

  it('is nothing for a shape beside the picture', () => {
    expect(cover({ kind: 'ellipse', box: boxOf(80, 10, 90, 20) }, 3).alpha.some(Boolean)).toBe(false);
  });

  it('has no steps between 0 and 255 without a soft edge', () => {
    for (const [, shape] of SHAPES) {
      expect([...new Set(cover(shape, 0).alpha)].every((alpha) => alpha === 0 || alpha === 255)).toBe(true);
    }
  });

  it('leaves ignored areas out, soft edge and all, and nothing else', () => {
    const area = { x: 18, y: 8, width: 9, height: 17 };
    for (const [, shape] of SHAPES) {
      const plain = cover(shape, 5);
      const spared = cover(shape, 5, [area]);
      for (let y = 0; y < SIZE.height; y++) {
        for (let x = 0; x < SIZE.width; x++) {
          const isIgnored = x >= 18 && x < 27 && y >= 8 && y < 25;
          expect(alphaAt(spared, x, y)).toBe(isIgnored ? 0 : alphaAt(plain, x, y));
        }
      }
    }
  });

  it('is not touched by an ignored area beside it, or one that reaches out of the picture', () => {
    const shape: Shape = { kind: 'box', box: boxOf(0, 0, 10, 10) };
    const beside = { x: 10, y: 0, width: 5, height: 50 };
    expect(cover(shape, 0, [beside]).alpha.every((alpha) => alpha === 255)).toBe(true);
    const outside = { x: -20, y: -20, width: 25, height: 25 };
    const spared = cover(shape, 0, [outside]);
    expect(alphaAt(spared, 4, 4)).toBe(0);
    expect(alphaAt(spared, 5, 4)).toBe(255);
    expect(alphaAt(spared, 4, 5)).toBe(255);
  });
});
