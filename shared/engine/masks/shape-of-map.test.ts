import { describe, expect, it } from 'vitest';
import { fakeSessions, FAKE_MANIFEST, maskNet } from '../../testing/fake-models';
import { boxOf, found, planFor } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import type { Detection, DetectorMask } from '../../domain/detection';
import type { Shape } from '../../domain/plan';
import { createPyramid } from '../pixels/pyramid';
import { segment } from './segment';

const SIZE = { width: 200, height: 160 };
const pyramid = createPyramid(plainRaster(SIZE.width, SIZE.height, [90, 90, 90]));
const BOX = boxOf(60, 40, 140, 100);
/** A mask with cells of 4 px over the box: 1 where `isLit` is true for the middle of a cell, in image px. */
const outlineWhere = (isLit: (x: number, y: number) => boolean): DetectorMask => ({
  data: Float32Array.from({ length: 20 * 15 }, (_, i) =>
    isLit(BOX.x1 + 4 * (i % 20) + 2, BOX.y1 + 4 * Math.floor(i / 20) + 2) ? 1 : 0,
  ),
  columns: 20,
  rows: 15,
  x: BOX.x1,
  y: BOX.y1,
  scaleX: 0.25,
  scaleY: 0.25,
});
const leftOf = (x: number): DetectorMask => outlineWhere((at) => at < x);
const shapeOf = async (detection: Detection, models = FAKE_MANIFEST.models.slice(2)) => {
  const sessions = fakeSessions({ selfie: maskNet(1), pose: maskNet(1) });
  const { signal } = new AbortController();
  return (await segment(pyramid, [detection], { models, sessions, signal })).get(detection);
};
const car = (...masks: readonly DetectorMask[]): Detection => ({ ...found('vehicle', BOX), masks });
const covers = (shape: Shape | undefined, x: number, y: number): boolean => {
  if (shape?.kind !== 'runs') throw new Error('no runs');
  let at = 0;
  return shape.runs.some((run, i) => {
    const pixel = (y - shape.box.y1) * (shape.box.x2 - shape.box.x1) + x - shape.box.x1;
    const isHere = i % 2 === 1 && pixel >= at && pixel < at + run;
    at += run;
    return isHere;
  });
};

describe('the mask that a detector outputs', () => {
  it('becomes the object’s shape, at its place in the image', async () => {
    const shape = await shapeOf(car(leftOf(100)));
    expect([covers(shape, 62, 70), covers(shape, 98, 70)]).toEqual([true, true]);
    expect([covers(shape, 103, 70), covers(shape, 138, 70)]).toEqual([false, false]);
  });

  it('is united with the masks of the detections merged into the object', async () => {
    const shape = await shapeOf(
      car(
        leftOf(90),
        outlineWhere((x) => x > 110),
      ),
    );
    expect([70, 130, 100].map((x) => covers(shape, x, 70))).toEqual([true, true, false]);
  });

  it('is replaced by the default shape if it fills too little of the box', async () => {
    expect(await shapeOf(car(leftOf(80)))).toBeUndefined();
    expect(await shapeOf(car(outlineWhere(() => false)))).toBeUndefined();
    const unknown = { ...leftOf(140), data: new Float32Array(300).fill(Number.NaN) };
    expect(await shapeOf(car(unknown))).toBeUndefined();
  });

  it('is used instead of the masks of the person networks', async () => {
    const person = (outline: DetectorMask): Detection => ({ ...found('person', BOX), masks: [outline] });
    expect(covers(await shapeOf(person(leftOf(100))), 130, 70)).toBe(false);
    expect(covers(await shapeOf(person(leftOf(70))), 130, 70)).toBe(true);
    expect(await shapeOf(person(leftOf(70)), [])).toBeUndefined();
  });

  it('is not part of a plan, which contains only the shape', () => {
    const [region] = planFor(SIZE, [car(leftOf(100))]).regions;
    expect(region?.detection).toEqual(found('vehicle', BOX));
  });
});
