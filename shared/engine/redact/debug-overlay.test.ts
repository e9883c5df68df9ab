import { describe, expect, it } from 'vitest';
import { coverOf } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, largestDifference, noiseRaster, pixelAt, plainRaster } from '../../testing/rasters';
import { drawOverlay } from './debug-overlay';
import { drawPlan } from './draw-plan';
import { OBJECT_CLASSES } from '../../catalogue/classes';
import type { RedactionPlan } from '../../domain/plan';
import type { Raster } from '../../domain/raster';

const SIZE = { width: 200, height: 150 };
const GREY = plainRaster(SIZE.width, SIZE.height, [128, 128, 128]);
const drawn = (plan: RedactionPlan, onto: Raster = GREY): Raster => {
  const copy = copyRaster(onto);
  drawOverlay(copy, plan);
  return copy;
};
const shown = async (raster: Raster, plan: RedactionPlan): Promise<Raster> => {
  const copy = copyRaster(raster);
  await drawPlan(copy, plan);
  return copy;
};
/** Every pixel of the image. */
const places = (): (readonly [number, number])[] =>
  Array.from({ length: SIZE.width * SIZE.height }, (_, i) => [i % SIZE.width, Math.floor(i / SIZE.width)]);
const isGrey = (raster: Raster, x: number, y: number): boolean =>
  pixelAt(raster, x, y).every((value) => value === 128);

describe('the debug overlay', () => {
  it.each(OBJECT_CLASSES)('draws a %s’s box and tints its mask', (objectClass) => {
    const plan = planFor(SIZE, [found(objectClass, boxOf(60, 50, 140, 110))], { method: 'blacken' });
    const result = drawn(plan);
    for (const [x, y] of [
      [60, 50],
      [139, 50],
      [60, 109],
      [139, 109],
      [100, 50],
      [60, 80],
    ] as const) {
      expect(isGrey(result, x, y)).toBe(false);
    }
    const cover = coverOf(plan);
    const frame = pixelAt(result, 100, 50);
    const wrong = places().filter(([x, y]) => {
      const isFrame = pixelAt(result, x, y).join() === frame.join();
      return !isFrame && isGrey(result, x, y) !== (cover[y * SIZE.width + x] !== 255);
    });
    expect(wrong).toEqual([]);
  });

  it('gives each class its own colour', () => {
    const frames = OBJECT_CLASSES.map((one) =>
      pixelAt(drawn(planFor(SIZE, [found(one, boxOf(60, 50, 140, 110))])), 100, 50).join(),
    );
    expect(new Set(frames).size).toBe(OBJECT_CLASSES.length);
  });

  it('draws labels only with `score`', () => {
    const detections = [found('vehicle', boxOf(60, 50, 140, 110))];
    const plain = drawn(planFor(SIZE, detections, { method: 'blacken' }));
    const labelled = drawn(planFor(SIZE, detections, { method: 'blacken', score: true }));
    const isLabel = (x: number, y: number): boolean => y < 50 && x >= 60;
    expect(largestDifference(plain, labelled, (x, y) => !isLabel(x, y))).toBe(0);
    expect(pixelAt(labelled, 61, 42)).toEqual(pixelAt(labelled, 60, 50));
    const inks = Array.from({ length: 60 * 9 }, (_, i) =>
      pixelAt(labelled, 60 + (i % 60), 41 + Math.floor(i / 60)),
    );
    expect(inks.filter((ink) => ink.join() === '0,0,0').length).toBeGreaterThan(50);
  });

  it('draws in images smaller than a label, for objects at any place', () => {
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [9, 40],
      [40, 9],
    ] as const) {
      const boxes = [boxOf(0, 0, 2, 2), boxOf(width - 2, height - 2, width, height), boxOf(-30, -30, 60, 60)];
      const detections = boxes.map((box, i) => found(OBJECT_CLASSES[i]!, box));
      const result = drawn(
        planFor({ width, height }, detections, { score: true }),
        plainRaster(width, height, [128, 128, 128]),
      );
      expect(result.data.every((value, i) => i % 4 !== 3 || value === 255)).toBe(true);
    }
  });

  it('cuts a label at the right edge, without continuing in the next row', () => {
    const narrow = { width: 9, height: 60 };
    const plan = planFor(narrow, [found('license-plate', boxOf(0, 20, 9, 40))], { score: true });
    const result = drawn(plan, plainRaster(9, 60, [128, 128, 128]));
    const blackRows = Array.from({ length: 60 }, (_, y) => y).filter((y) =>
      Array.from({ length: 9 }, (_, x) => pixelAt(result, x, y).join()).includes('0,0,0'),
    );
    expect(Math.min(...blackRows)).toBeGreaterThanOrEqual(11);
    expect(Math.max(...blackRows)).toBeLessThan(20);
  });

  it('draws no row into the next', () => {
    const plan = planFor(SIZE, [found('person', boxOf(150, 60, 200, 120))], {
      score: true,
      method: 'blacken',
    });
    const result = drawn(plan);
    expect(places().filter(([x, y]) => x < 60 && !isGrey(result, x, y))).toEqual([]);
  });

  it('is drawn over redacted pixels, and reveals nothing of them', async () => {
    const [a, b] = [noiseRaster(200, 150, 1), noiseRaster(200, 150, 2)];
    const plan = planFor(SIZE, [found('vehicle', boxOf(40, 30, 160, 120))], {
      method: 'blacken',
      debug: true,
      score: true,
    });
    const cover = coverOf(plan);
    const isHidden = (x: number, y: number): boolean => cover[y * SIZE.width + x] === 255;
    expect(largestDifference(await shown(a, plan), await shown(b, plan), isHidden)).toBe(0);
    expect(
      largestDifference(await shown(a, plan), await shown(a, { ...plan, debug: false }), isHidden),
    ).toBeGreaterThan(0);
  });

  it('is drawn only with `debug`', async () => {
    const plan = planFor(SIZE, [found('face', boxOf(40, 30, 160, 120))], { method: 'detect', score: true });
    expect(largestDifference(await shown(GREY, plan), GREY)).toBe(0);
  });
});
