import { describe, expect, it } from 'vitest';
import type { HiddenArea } from '../../domain/hidden-areas';
import type { RedactionPlan } from '../../domain/plan';
import { defaultImageOptions, type ImageOptions } from '../../domain/options';
import { HIDING_METHODS } from '../../catalogue/methods';
import { redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { createRaster, largestDifference, noiseRaster, pixelAt } from '../../testing/rasters';
import { renderMask } from '../redact/mask';
import { reportPlan } from '../redact/report';
import { editPlan } from './edit-plan';
import { planAreas, withAreas } from './hidden-areas';

const SIZE = { width: 60, height: 40 };
const BOX = { topLeftX: 10, topLeftY: 8, width: 20, height: 10 } as const;
const inBox = (x: number, y: number): boolean => x >= 10 && x < 30 && y >= 8 && y < 18;
const FACE = found('face', boxOf(40, 10, 50, 24));

const planWith = (
  hides: readonly HiddenArea[],
  changed: Partial<ImageOptions> = {},
  detections = [FACE],
): RedactionPlan => withAreas(planFor(SIZE, detections, changed), planAreas({ hides }, SIZE));

/** The pixels that an area hides: those of the binary mask of an image without objects. */
const coveredBy = (area: HiddenArea): ((x: number, y: number) => boolean) => {
  const { data } = renderMask(planWith([area], {}, []), 'binary', 100);
  return (x, y) => data[y * SIZE.width + x] === 255;
};
const expectCovered = (area: HiddenArea, isExpected: (x: number, y: number) => boolean): void => {
  const isCovered = coveredBy(area);
  for (let y = 0; y < SIZE.height; y++) {
    for (let x = 0; x < SIZE.width; x++) expect([x, y, isCovered(x, y)]).toEqual([x, y, isExpected(x, y)]);
  }
};

describe('an area that is always hidden', () => {
  it('covers its box, as px and as shares, and what lies inside the image of a larger one', () => {
    expectCovered(BOX, inBox);
    const shares = { topLeftX: 10 / 60, topLeftY: 8 / 40, width: 20 / 60, height: 10 / 40 };
    expectCovered({ ...shares, unit: 'fraction' }, inBox);
    expectCovered({ topLeftX: -5, topLeftY: -5, width: 8, height: 9 }, (x, y) => x < 3 && y < 4);
  });

  it('covers every pixel that a polygon touches, and not its notch', () => {
    const isCovered = coveredBy({
      points: [
        [10, 5],
        [50, 5],
        [50, 35],
        [30, 15],
        [10, 35],
      ],
    });
    expect([isCovered(30, 7), isCovered(11, 30), isCovered(48, 30)]).toEqual([true, true, true]);
    expect([isCovered(30, 30), isCovered(9, 20), isCovered(52, 20), isCovered(30, 3)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    // The side from (30, 15) to (10, 35) touches these pixels; the centre of the second lies outside.
    expect([isCovered(20, 24), isCovered(20, 25)]).toEqual([true, true]);
  });

  it.each(HIDING_METHODS)('contains nothing of its pixels with %s', (method) => {
    const plan = planWith([BOX], { method }, []);
    const one = noiseRaster(SIZE.width, SIZE.height, 1);
    const other = createRaster(SIZE.width, SIZE.height, (x, y) =>
      inBox(x, y) ? [x, y, 200] : pixelAt(one, x, y),
    );
    expect(largestDifference(one, other)).toBeGreaterThan(50);
    expect(largestDifference(redacted(one, plan), redacted(other, plan))).toBe(0);
    expect(largestDifference(one, redacted(one, plan), (x, y) => !inBox(x, y))).toBe(0);
  });

  it('is hidden by its own method, and not at all with detect', () => {
    const raster = noiseRaster(SIZE.width, SIZE.height, 2);
    const black = redacted(raster, planWith([{ ...BOX, method: 'blacken' }], { method: 'blur' }));
    expect(pixelAt(black, 20, 12)).toEqual([0, 0, 0]);
    const plan = planWith([{ ...BOX, method: 'blacken' }], { method: 'detect' });
    expect(largestDifference(raster, redacted(raster, plan))).toBe(0);
    expect(reportPlan(plan, 0).detections.at(-1)).toMatchObject({ objectClass: 'area', isAnonymised: false });
  });

  it('stays hidden where areas are left unchanged, and where a face is shown', () => {
    const raster = noiseRaster(SIZE.width, SIZE.height, 3);
    const ignores = [{ x: 0, y: 0, ...SIZE }];
    const over = { topLeftX: 38, topLeftY: 8, width: 14, height: 18 };
    const plan = planWith([over], { ignores, method: 'blacken' });
    const shown = { ...plan, regions: plan.regions.map((region) => ({ ...region, shown: 0.9 })) };
    for (const one of [plan, shown]) {
      expect(pixelAt(redacted(raster, one), 45, 17)).toEqual([0, 0, 0]);
      expect(renderMask(one, 'binary', 100).data[17 * SIZE.width + 45]).toBe(255);
    }
  });

  it('has the bit 4 in the instance mask, and a number behind those of all detections and candidates', () => {
    const plan = { ...planWith([BOX]), candidates: [FACE, FACE] };
    const { data } = renderMask(plan, 'instance', 100);
    const at = 3 * (12 * SIZE.width + 20);
    expect([...data.slice(at, at + 3)]).toEqual([0, 1 + 3, 4]);
    const [face, area] = reportPlan(plan, 0).detections;
    expect(face).toMatchObject({ id: 0, objectClass: 'face' });
    expect(area).toEqual({
      ...{ id: 3, objectClass: 'area', score: 1, box: boxOf(10, 8, 30, 18) },
      ...{ isAnonymised: true, color: [0, 4, 4] },
    });
  });

  it('stays hidden after edits that hide no object and leave the image unchanged', () => {
    const uploaded = defaultImageOptions({ classes: ['face'] });
    const edits = {
      classes: ['vehicle'] as const,
      ignores: [{ topLeftX: 0, topLeftY: 0, ...SIZE }],
      method: 'blacken' as const,
    };
    const edited = editPlan(planWith([BOX]), edits, uploaded);
    const raster = noiseRaster(SIZE.width, SIZE.height, 4);
    expect(pixelAt(redacted(raster, edited), 20, 12)).toEqual([0, 0, 0]);
    expect(reportPlan(edited, 0).detections).toMatchObject([{ id: 0, objectClass: 'area' }]);
  });
});

describe('an area with times', () => {
  const FRAME_US = 40_000;
  const hiddenIn = (area: HiddenArea): number[] => {
    const areas = planAreas({ hides: [area] }, SIZE);
    return Array.from({ length: 10 }, (_, index) => index).filter(
      (index) =>
        withAreas(planFor(SIZE, []), areas, { timestampUs: index * FRAME_US, durationUs: FRAME_US }).areas,
    );
  };

  it('is hidden in every frame that the times touch, and in one more on each side', () => {
    expect(hiddenIn({ ...BOX, start: 0.16, end: 0.24 })).toEqual([3, 4, 5, 6, 7]);
    expect(hiddenIn({ ...BOX, end: 0.08 })).toEqual([0, 1, 2, 3]);
    expect(hiddenIn({ ...BOX, start: 0.32 })).toEqual([7, 8, 9]);
    expect(hiddenIn(BOX)).toHaveLength(10);
  });

  it('is hidden in an image whatever they are', () => {
    expect(planWith([{ ...BOX, start: 5, end: 6 }]).areas).toHaveLength(1);
  });
});
