import { describe, expect, it } from 'vitest';
import type { Detection } from '../../domain/detection';
import { boxOf } from '../../testing/plans';
import type { TileDetection } from '../fusion/merge';
import { doubtfulPlates } from './doubtful-plates';

const THRESHOLD = 0.5;
const vehicle = (x1: number, y1: number, x2: number, y2: number): Detection => ({
  objectClass: 'vehicle',
  score: 0.9,
  box: boxOf(x1, y1, x2, y2),
});
const plate = (score: number): TileDetection => ({
  objectClass: 'license-plate',
  score,
  box: boxOf(40, 70, 60, 80),
  cut: { x: false, y: false },
});
const FRONT = vehicle(0, 0, 100, 100);

describe('a vehicle without a plate', () => {
  it('gets a candidate at the usual place of plates, below the threshold', () => {
    const [doubt, ...others] = doubtfulPlates([FRONT], [], THRESHOLD);
    expect(others).toEqual([]);
    expect(doubt).toMatchObject({ objectClass: 'license-plate', box: boxOf(25, 50, 75, 95) });
    expect(doubt?.score).toBeLessThan(THRESHOLD);
  });

  it('gets none if it is seen from the side', () => {
    expect(doubtfulPlates([vehicle(0, 0, 200, 100)], [], THRESHOLD)).toEqual([]);
  });

  it('gets none if it is too small for a legible plate', () => {
    expect(doubtfulPlates([vehicle(0, 0, 47, 60)], [], THRESHOLD)).toEqual([]);
  });
});

describe('a vehicle with a plate', () => {
  it.each([
    ['a certain one', 0.9],
    ['a candidate that is listed itself', 0.45],
  ])('gets no further candidate: %s', (_, score) => {
    expect(doubtfulPlates([FRONT], [plate(score)], THRESHOLD)).toEqual([]);
  });

  it('gets one if its own candidate is too weak to be listed', () => {
    expect(doubtfulPlates([FRONT], [plate(0.2)], THRESHOLD)).toHaveLength(1);
  });
});
