import { describe, expect, it } from 'vitest';
import { boxOf } from '../testing/plans';
import {
  boxArea,
  clipBox,
  growBox,
  intersectionArea,
  intersectionOverSmaller,
  iou,
  outerPixels,
  shorterSide,
  unionBox,
} from './boxes';
import { areConvex, growCorners, mapCorners, type Corner, type Corners } from './detection';

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

const A = boxOf(0, 0, 10, 10);

describe('boxes', () => {
  it('have an IoU of their common area divided by the area of both', () => {
    expect(iou(A, A)).toBe(1);
    expect(iou(A, boxOf(5, 0, 15, 10))).toBeCloseTo(50 / 150);
    expect(iou(A, boxOf(10, 0, 20, 10))).toBe(0);
    expect(intersectionArea(A, boxOf(8, 8, 20, 20))).toBe(4);
  });

  it('are compared by their common area divided by the smaller one, which is 1 for a box inside another', () => {
    expect(intersectionOverSmaller(A, boxOf(2, 2, 4, 4))).toBe(1);
    expect(intersectionOverSmaller(boxOf(8, 0, 12, 5), A)).toBeCloseTo(0.5);
    expect(intersectionOverSmaller(A, boxOf(20, 20, 30, 30))).toBe(0);
  });

  it('overlap by 0, not NaN, if one is empty or inverted', () => {
    const line = boxOf(3, 3, 3, 9);
    const inverted = boxOf(8, 8, 2, 2);
    for (const empty of [line, inverted]) {
      expect(boxArea(empty)).toBe(0);
      expect(iou(A, empty)).toBe(0);
      expect(intersectionOverSmaller(A, empty)).toBe(0);
    }
  });

  it('grow by a share of their own sides', () => {
    expect(growBox(boxOf(10, 20, 20, 60), 0.1)).toEqual(boxOf(9, 16, 21, 64));
    expect(growBox(boxOf(10, 20, 20, 60), 0.5, 0)).toEqual(boxOf(5, 20, 25, 60));
  });

  it('are clipped to the image, even if they lie completely outside', () => {
    expect(clipBox(boxOf(-5, 3, 50, 99), 40, 30)).toEqual(boxOf(0, 3, 40, 30));
    expect(boxArea(clipBox(boxOf(50, 50, 60, 60), 40, 30))).toBe(0);
  });

  it('are rounded outwards to include each pixel that they touch', () => {
    expect(outerPixels(boxOf(0.9, 1, 2.1, 3))).toEqual(boxOf(0, 1, 3, 3));
  });

  it('are united to the smallest box around both', () => {
    expect(unionBox(A, boxOf(5, -3, 8, 4))).toEqual(boxOf(0, -3, 10, 10));
    expect(shorterSide(boxOf(0, 0, 7, 3))).toBe(3);
  });
});
