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
