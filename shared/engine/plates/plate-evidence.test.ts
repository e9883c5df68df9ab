import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import type { Box } from '../../domain/boxes';
import { type Corners, mapCorners } from '../../domain/detection';
import {
  vehicleOf,
  evidenceOf,
  MEAN_SCORE_WEIGHTS,
  neededOnVehicle,
  neededScore,
  probabilityOf,
} from './plate-evidence';

const cornersOf = ({ x1, y1, x2, y2 }: Box): Corners => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];
const PLATE = boxOf(100, 200, 180, 220);
const SEEN = { scores: [0.9, 0.9, 0.9, 0.5], places: [cornersOf(PLATE)], corners: cornersOf(PLATE) };
const on = (vehicle?: Box) => evidenceOf(SEEN, vehicle, true);

describe('evidence', () => {
  it('of scores alone gives the mean score as probability', () => {
    expect(probabilityOf(on(), MEAN_SCORE_WEIGHTS)).toBeCloseTo(0.8);
  });

  it('is added up in log odds by its weights', () => {
    const evidence = { logOdds: 2, spread: -3, isProposed: 1, above: 0.1, width: -1.5 } as const;
    const weights = { bias: -1, logOdds: 1, spread: -0.5, isProposed: 0.25, above: -10, width: 0.5 };
    expect(probabilityOf(evidence, weights)).toBeCloseTo(1 / (1 + Math.exp(1 - 2 - 1.5 - 0.25 + 1 + 0.75)));
  });

  it('of a score of 1 is still a finite number', () => {
    for (const score of [0, 1]) {
      const { logOdds } = evidenceOf({ ...SEEN, scores: [score] }, undefined, false);
      expect(Math.abs(logOdds)).toBeCloseTo(Math.log(999));
    }
  });

  it('measures the spread of passes in plate heights, at any size', () => {
    const apart = (px: number, scale: number): number => {
      const zoomed = mapCorners(cornersOf(PLATE), ([x, y]) => [x * scale, y * scale]);
      const places = [-px, px].map((shift) => mapCorners(zoomed, ([x, y]) => [x + shift, y]));
      return evidenceOf({ ...SEEN, places, corners: zoomed }, undefined, true).spread;
    };
    expect(apart(4, 1)).toBeCloseTo(apart(8, 2));
    expect(apart(4, 1)).toBeGreaterThan(apart(2, 1));
    expect(apart(0, 1)).toBeGreaterThan(Number.NEGATIVE_INFINITY);
  });

  it('counts a place above the middle of the vehicle, and none below', () => {
    expect(on(boxOf(40, 190, 240, 390)).above).toBeCloseTo(0.4);
    expect(on(boxOf(40, 40, 240, 240)).above).toBe(0);
    expect(on().above).toBe(0);
  });

  it('compares a plate’s width with its vehicle’s, and uses the usual one without a vehicle', () => {
    expect(on(boxOf(40, 40, 360, 240)).width).toBeCloseTo(Math.log(80 / 320));
    expect(on().width).toBeCloseTo(Math.log(0.25));
  });
});

describe('a plate lies on', () => {
  it('the best vehicle that contains enough of its area', () => {
    const nextTo = boxOf(150, 40, 400, 240);
    const best = boxOf(60, 100, 220, 240);
    expect(vehicleOf(PLATE, [nextTo, best, boxOf(0, 0, 400, 400)])).toBe(best);
    expect(vehicleOf(PLATE, [nextTo])).toBeUndefined();
  });
});

describe('a candidate outside vehicles', () => {
  const SCORES = { proposed: 0.8, scanned: 0.75, onVehicle: 0.7 };
  const LARGE = { ...SCORES, large: { fromShare: 0.01, score: 0.9 } };
  const SIZE = { width: 1000, height: 500 };
  const small = boxOf(0, 0, 90, 50);
  const large = boxOf(0, 0, 110, 50);

  it('needs a higher score from a share of the image on', () => {
    for (const isProposed of [true, false]) {
      const usual = isProposed ? SCORES.proposed : SCORES.scanned;
      expect(neededScore(small, isProposed, LARGE, SIZE)).toBe(usual);
      expect(neededScore(large, isProposed, LARGE, SIZE)).toBe(LARGE.large.score);
      expect(neededScore(large, isProposed, SCORES, SIZE)).toBe(usual);
    }
  });

  it('counts by the part of it that is in the image', () => {
    expect(neededScore(boxOf(-100, -100, 90, 50), true, LARGE, SIZE)).toBe(SCORES.proposed);
  });
});

describe('a candidate on a vehicle', () => {
  const SCORES = { proposed: 0.7, scanned: 0.86, onVehicle: 0.95 };
  const SMALL = { ...SCORES, small: { belowPx: 20, onVehicle: 0.8 } };
  const small = boxOf(100, 100, 139, 110);
  const large = boxOf(100, 100, 140, 110);

  it('needs a lower score if it is small', () => {
    expect(neededOnVehicle(small, SMALL)).toBe(0.8);
    expect(neededOnVehicle(large, SMALL)).toBe(0.95);
    expect(neededOnVehicle(small, SCORES)).toBe(0.95);
  });
});
