import { describe, expect, it } from 'vitest';
import { calibrate, uncalibrate } from '../fusion/detector-scores';
import { OBJECT_CLASSES } from '../../catalogue/classes';
import { DEFAULT_THRESHOLDS } from '../../domain/options';

const POINTS = [0.05, 0.2, 0.35, 0.5, 0.72, 0.95];
const SCORES = Array.from({ length: 101 }, (_, i) => i / 100);

describe.each(OBJECT_CLASSES)('a %s’s score', (objectClass) => {
  it('is the default threshold at the model’s operating point, and keeps 0 and 1', () => {
    for (const point of POINTS) {
      expect(calibrate(point, point, objectClass)).toBeCloseTo(DEFAULT_THRESHOLDS[objectClass]);
      expect(calibrate(0, point, objectClass)).toBe(0);
      expect(calibrate(1, point, objectClass)).toBeCloseTo(1);
    }
  });

  it('rises with the raw score', () => {
    for (const point of POINTS) {
      const calibrated = SCORES.map((score) => calibrate(score, point, objectClass));
      for (let i = 1; i < calibrated.length; i++) expect(calibrated[i]).toBeGreaterThan(calibrated[i - 1]!);
    }
  });

  it('converts back to the same raw score', () => {
    for (const point of POINTS) {
      for (const score of SCORES) {
        expect(uncalibrate(calibrate(score, point, objectClass), point, objectClass)).toBeCloseTo(score, 10);
        expect(calibrate(uncalibrate(score, point, objectClass), point, objectClass)).toBeCloseTo(score, 10);
      }
    }
  });
});
