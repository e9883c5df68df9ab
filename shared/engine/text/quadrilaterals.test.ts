import { expect, it } from 'vitest';
import { mapCorners, rotateAround, type Corners } from '../../domain/detection';
import { polygonArea, convexIntersectionArea } from './merge-text';

const rectangle = (x1: number, y1: number, x2: number, y2: number): Corners => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];
const turned = (corners: Corners, degrees: number): Corners =>
  mapCorners(corners, (corner) => rotateAround(corner, [50, 50], (degrees * Math.PI) / 180));

it.each([0, 17, 45, 90, 200])('areas are the same after a turn by %i°', (degrees) => {
  const a = turned(rectangle(10, 20, 60, 40), degrees);
  expect(polygonArea(a)).toBeCloseTo(1000);
  expect(convexIntersectionArea(a, turned(rectangle(40, 30, 90, 70), degrees))).toBeCloseTo(200);
  expect(convexIntersectionArea(a, turned(rectangle(20, 25, 30, 35), degrees))).toBeCloseTo(100);
  expect(convexIntersectionArea(turned(rectangle(20, 25, 30, 35), degrees), a)).toBeCloseTo(100);
  expect(convexIntersectionArea(a, turned(rectangle(61, 20, 90, 40), degrees))).toBe(0);
});

it('a square and the same square turned by 45° share an octagon', () => {
  const square = rectangle(40, 40, 60, 60);
  expect(convexIntersectionArea(square, turned(square, 45))).toBeCloseTo(400 * 2 * (Math.SQRT2 - 1));
});
