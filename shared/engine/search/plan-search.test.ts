import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { modelEntry } from '../../testing/fake-models';
import type { Expected } from '../../domain/detection';
import { defaultImageOptions } from '../../domain/options';
import { planSearch } from './plan-search';

const FACES = {
  ...modelEntry('faces', 'centerface', ['face'], { longSides: [1024, 2048], maxEnlargement: 2 }),
  refinement: { minScore: 0.15, smallPx: 20, confidentScore: 0.5, doubtfulPx: 64 },
};
/** Half as wide in a pass of 640 px. */
const SIZE = { width: 1280, height: 720 };

/** Long sides of the passes over a frame that is searched quickly. */
const quickSides = (expected: readonly Expected[], size = SIZE): number[] => {
  const options = defaultImageOptions({ classes: ['face'] });
  const plan = planSearch({ models: [FACES] }, size, options, { depth: 'quick', isVideo: true, expected });
  expect(plan.detectors.flatMap(({ cascades }) => cascades)).toEqual([]);
  return plan.detectors.flatMap(({ passes }) => passes.map(({ fit }) => fit.netWidth));
};
const expectedFace = (sidePx: number): Expected => ({
  objectClass: 'face',
  box: boxOf(300, 300, 300 + sidePx, 300 + sidePx),
});

describe('faces in a quick search', () => {
  it('are searched at the coarsest scale of their cascade', () => {
    expect(quickSides([])).toEqual([640]);
    expect(quickSides([], { width: 3840, height: 2160 })).toEqual([640]);
    expect(quickSides([], { width: 240, height: 120 })).toEqual([480]);
  });

  it('are searched at the first scale of their model while a tracked face is too small for the coarsest', () => {
    expect(quickSides([expectedFace(41)])).toEqual([640]);
    expect(quickSides([expectedFace(41), expectedFace(39)])).toEqual([1024]);
  });

  it('are searched at the coarsest scale whatever the size of tracked objects of other classes', () => {
    expect(quickSides([{ ...expectedFace(10), objectClass: 'license-plate' }])).toEqual([640]);
  });
});
