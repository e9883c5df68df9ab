import { describe, expect, it } from 'vitest';
import { boxOf, found, planFor } from '../../testing/plans';
import type { RedactionPlan } from '../../domain/plan';
import { reportPlan } from './report';

const SIZE = { width: 100, height: 80 };
const OBJECTS = [
  found('face', boxOf(10.2, 10.9, 20.5, 22.1), 0.97),
  found('license-plate', boxOf(-3, 60, 30.01, 83), 0.61),
  found('vehicle', boxOf(70, 40, 99.5, 80), 0.4),
];
const anonymised = (plan: RedactionPlan): boolean[] =>
  reportPlan(plan, 0).detections.map(({ isAnonymised }) => isAnonymised);

describe('the report', () => {
  const report = reportPlan(planFor(SIZE, OBJECTS), 0.125);

  it('contains the image’s size and the duration in seconds', () => {
    expect(report).toMatchObject({ ...SIZE, durationS: 0.125 });
  });

  it('numbers objects from 0 and keeps class and score', () => {
    expect(report.detections.map(({ id, objectClass, score }) => [id, objectClass, score])).toEqual([
      [0, 'face', 0.97],
      [1, 'license-plate', 0.61],
      [2, 'vehicle', 0.4],
    ]);
  });

  it('contains boxes in whole pixels inside the image, around the detected object', () => {
    expect(report.detections.map(({ box }) => box)).toEqual([
      boxOf(10, 10, 21, 23),
      boxOf(0, 60, 31, 80),
      boxOf(70, 40, 100, 80),
    ]);
  });

  it('contains each object’s colour in the instance mask', () => {
    expect(report.detections.map(({ color }) => color)).toEqual([
      [0, 1, 32],
      [0, 2, 64],
      [0, 3, 16],
    ]);
  });

  it('is empty for an image without objects', () => {
    expect(reportPlan(planFor(SIZE, []), 1).detections).toEqual([]);
  });
});

describe('an object counts as anonymised', () => {
  it.each(['blur', 'pixelate', 'blacken'] as const)('with %s', (method) => {
    expect(anonymised(planFor(SIZE, OBJECTS, { method }))).toEqual([true, true, true]);
  });

  it('never with detect', () => {
    expect(anonymised(planFor(SIZE, OBJECTS, { method: 'detect' }))).toEqual([false, false, false]);
  });

  it('unless ignored areas cover it completely', () => {
    const over = { x: 0, y: 0, width: 60, height: 50 };
    const partly = { x: 0, y: 50, width: 15, height: 30 };
    expect(anonymised(planFor(SIZE, OBJECTS, { ignores: [over, partly] }))).toEqual([false, true, true]);
  });
});
