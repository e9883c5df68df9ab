import { describe, expect, it } from 'vitest';
import { areConvex, growCorners, mapCorners } from './corners';
import type { Corner, Corners } from './detection';

const LEVEL: Corners = [
  [100, 50],
  [180, 50],
  [180, 70],
  [100, 70],
];
const turned = (corners: Corners, degrees: number): Corners => {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return mapCorners(corners, ([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
};
const expectAlike = (actual: Corners, expected: Corners) =>
  actual.forEach((corner, i) =>
    corner.forEach((at, axis) => expect(at).toBeCloseTo((expected[i] as Corner)[axis] as number)),
  );

describe('growing a plate’s corners', () => {
  it('adds multiples of the plate’s height along and across it', () => {
    expectAlike(growCorners(LEVEL, 0.25, 0.1), [
      [95, 48],
      [185, 48],
      [185, 72],
      [95, 72],
    ]);
  });

  it('follows the plate’s tilt', () => {
    for (const degrees of [-70, -20, 8, 45]) {
      expectAlike(
        growCorners(turned(LEVEL, degrees), 0.25, 0.1),
        turned(growCorners(LEVEL, 0.25, 0.1), degrees),
      );
    }
  });

  it('leaves a plate without any size unchanged', () => {
    const point = mapCorners(LEVEL, () => [7, 8]);
    expect(growCorners(point, 0.25, 0.1)).toEqual(point);
  });
});

describe('corners', () => {
  it('are convex for a plate at any angle', () => {
    for (const degrees of [0, 30, 90, 200]) expect(areConvex(turned(LEVEL, degrees))).toBe(true);
  });

  it('are not convex if edges cross, one corner is dented or the order is counterclockwise', () => {
    const [a, b, c, d] = LEVEL;
    expect(areConvex([a, c, b, d])).toBe(false);
    expect(areConvex([a, b, [110, 60], d])).toBe(false);
    expect(areConvex([a, d, c, b])).toBe(false);
  });
});
