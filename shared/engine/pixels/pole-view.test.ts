import { describe, expect, it } from 'vitest';
import { POLES } from '../../domain/detection';
import { panoramaOf } from '../../testing/panoramas';
import { boxOf } from '../../testing/plans';
import { pixelAt } from '../../testing/rasters';
import { boundsFromView, boundsInView, fromView, toView, viewRenderer, viewSide } from './pole-view';

const SIZE = { width: 800, height: 400 };
const SIDE = viewSide(SIZE);

describe('a view of a pole', () => {
  it.each([
    ['top', 75],
    ['bottom', -75],
  ] as const)('of the %s shows what stands at the left edge of the panorama upright', (pole, latitude) => {
    // White above black, and red at its left side.
    const at = (x: number, y: number) =>
      x < -0.4 ? ([250, 0, 0] as const) : y < 0 ? ([250, 250, 250] as const) : ([0, 0, 0] as const);
    const panorama = panoramaOf(SIZE.width, [{ longitude: 0, latitude, halfAngle: 12, at }]);
    const view = viewRenderer({ pole, size: SIZE })(panorama);
    const middle = toView({ pole, size: SIZE }, [0, pole === 'top' ? 33 : 367])!;
    const [u, v] = middle.map(Math.floor) as [number, number];
    expect(pixelAt(view, u + 4, v - 10)).toEqual([250, 250, 250]);
    expect(pixelAt(view, u + 4, v + 10)).toEqual([0, 0, 0]);
    expect(pixelAt(view, u - 15, v)).toEqual([250, 0, 0]);
  });

  it('leads back to the same place', () => {
    for (const pole of POLES) {
      for (const point of [
        [10.5, 20.25],
        [SIDE - 3, 7],
        [SIDE / 2, 3],
      ] as const) {
        const [u, v] = toView({ pole, size: SIZE }, fromView({ pole, size: SIZE }, point))!;
        expect(Math.hypot(u - point[0], v - point[1])).toBeLessThan(1e-6);
      }
    }
  });

  it('ends before the horizon', () => {
    expect(toView({ pole: 'top', size: SIZE }, [5, 200])).toBeUndefined();
    expect(boundsInView({ pole: 'bottom', size: SIZE }, boxOf(0, 150, 20, 350))).toBeUndefined();
  });
});

describe('a box of a view', () => {
  it('around the pole is a band over the whole width', () => {
    const { x1, x2, y1, y2 } = boundsFromView({ pole: 'bottom', size: SIZE }, boxOf(90, 95, 115, 106));
    expect([x1, x2, y2]).toEqual([0, SIZE.width, SIZE.height]);
    expect(y1).toBeGreaterThan(370);
  });

  it.each(POLES)('next to the %s is a box around its place, over the seam where it lies there', (pole) => {
    const view = { pole, size: SIZE };
    const box = pole === 'top' ? boxOf(92, 130, 108, 150) : boxOf(92, 50, 108, 70);
    const bounds = boundsFromView(view, box);
    expect(bounds.x1).toBeLessThan(SIZE.width);
    expect(bounds.x2).toBeGreaterThan(SIZE.width);
    for (const corner of [
      [box.x1, box.y1],
      [box.x2, box.y2],
    ] as const) {
      const [x, y] = fromView(view, corner);
      const unrolled = x < SIZE.width / 2 ? x + SIZE.width : x;
      expect(unrolled).toBeGreaterThanOrEqual(bounds.x1);
      expect(unrolled).toBeLessThanOrEqual(bounds.x2);
      expect(y).toBeGreaterThanOrEqual(bounds.y1);
      expect(y).toBeLessThanOrEqual(bounds.y2);
    }
  });
});
