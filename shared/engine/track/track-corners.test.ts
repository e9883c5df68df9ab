import { describe, expect, it } from 'vitest';
import { growBox, moveBox } from '../../domain/boxes';
import {
  cornerBounds,
  mapCorners,
  shorterEdge,
  rotateAround,
  type Corners,
  type Detection,
} from '../../domain/detection';
import { polygonArea, convexIntersectionArea } from '../text/merge-text';
import { atTemplate, cornersBetween, enlarge } from './track-corners';

/** A line of 100 x 20 px around (200, 150). */
const turned = (degrees: number): Corners =>
  mapCorners(
    [
      [150, 140],
      [250, 140],
      [250, 160],
      [150, 160],
    ],
    (corner) => rotateAround(corner, [200, 150], (degrees * Math.PI) / 180),
  );
const detected = (objectClass: Detection['objectClass'], corners: Corners): Detection => ({
  objectClass,
  score: 0.9,
  box: { ...cornerBounds(corners) },
  corners,
});
const covers = (outer: Corners, inner: Corners): boolean =>
  convexIntersectionArea(inner, outer) > 0.999 * polygonArea(inner);

describe.each([0, 30, 45, 80])('a line of text turned by %i°, between its hits', (degrees) => {
  const text = detected('text', turned(degrees));

  it('is hidden by a rectangle that covers it where it was detected', () => {
    const { box } = text;
    const wider = { ...box, x2: box.x2 + 20 };
    const { corners } = enlarge(text, wider);
    expect(covers(corners!, text.corners!)).toBe(true);
    expect(shorterEdge(corners!)).toBeLessThan(45);
  });

  it('is hidden at all its possible places', () => {
    const places = [moveBox(text.box, 8, 4), moveBox(text.box, -6, 2)];
    const { corners } = enlarge(text, growBox(text.box, 0.1), places);
    for (const [x, y] of [
      [0, 0],
      [8, 4],
      [-6, 2],
    ] as const) {
      expect(
        covers(
          corners!,
          mapCorners(text.corners!, ([a, b]) => [a + x, b + y]),
        ),
      ).toBe(true);
    }
  });

  it('moves with its template', () => {
    const { corners } = atTemplate(text, moveBox(text.box, 30, -10));
    corners!.forEach(([x, y], i) => {
      expect(x).toBeCloseTo(text.corners![i]![0] + 30);
      expect(y).toBeCloseTo(text.corners![i]![1] - 10);
    });
  });
});

it('a line that turns past 45° stays a rectangle between its hits, although its first corner changes', () => {
  const [before, [a, b, c, d]] = [turned(44), turned(46)];
  const between = cornersBetween(before, [d, a, b, c], 0.5, true);
  expect(polygonArea(between)).toBeCloseTo(2000, -1);
  expect(convexIntersectionArea(between, turned(45))).toBeGreaterThan(1950);
});

it('plates lose their corners where they are enlarged or matched by a template', () => {
  const plate = detected('license-plate', turned(10));
  expect(enlarge(plate, growBox(plate.box, 0.1))).not.toHaveProperty('corners');
  expect(atTemplate(plate, plate.box)).not.toHaveProperty('corners');
});
