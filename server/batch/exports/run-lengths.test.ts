import { expect, it } from 'vitest';
import type { Shape } from '#shared/domain/plan';
import { boxOf } from '#shared/testing/plans';
import { cocoMask, columnRuns } from './run-lengths';

const SIZE = { width: 4, height: 3 };

it('runs go down the columns of the image, and begin with an uncovered one', () => {
  expect(columnRuns({ kind: 'box', box: boxOf(1, 1, 3, 3) }, SIZE)).toEqual([4, 2, 1, 2, 3]);
  expect(columnRuns({ kind: 'box', box: boxOf(0, 0, 4, 3) }, SIZE)).toEqual([0, 12]);
  const runs: Shape = { kind: 'runs', box: boxOf(0, 0, 2, 3), runs: [1, 2, 3] };
  expect(columnRuns(runs, SIZE)).toEqual([1, 1, 1, 1, 8]);
});

it('a shape beyond the image covers only what is inside', () => {
  expect(columnRuns({ kind: 'box', box: boxOf(-5, -5, 1, 9) }, SIZE)).toEqual([0, 3, 9]);
  expect(columnRuns({ kind: 'box', box: boxOf(9, 9, 12, 12) }, SIZE)).toEqual([12]);
});

it('an ellipse covers every pixel that it touches', () => {
  const ellipse: Shape = { kind: 'ellipse', box: boxOf(0, 0, 4, 3) };
  expect(columnRuns(ellipse, SIZE).reduce((sum, run) => sum + run, 0)).toBe(12);
});

it('the text of a mask is that of COCO', () => {
  // As pycocotools 2.0.11 gives it: a test with that package checks others.
  expect(cocoMask({ kind: 'box', box: boxOf(1, 1, 3, 3) }, SIZE)).toEqual({ size: [3, 4], counts: '42102' });
});
