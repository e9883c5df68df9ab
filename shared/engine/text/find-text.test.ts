import { expect, it } from 'vitest';
import { blueTextNet, loadedModel, modelEntry } from '../../testing/fake-models';
import { createRaster } from '../../testing/rasters';
import { areConvex } from '../../domain/detection';
import { createPyramid } from '../pixels/pyramid';
import { planTiles } from '../pixels/tile';
import { findText, planTextPasses } from './find-text';

const ENTRY = modelEntry('text', 'text-regions', ['text'], {
  multipleOf: 32,
  longSides: [256],
  maxEnlargement: 1,
});

/** Finds blue text in an image, at two scales. */
const find = async (
  width: number,
  height: number,
  isBlue: (x: number, y: number) => boolean,
  score = 0.9,
) => {
  const raster = createRaster(width, height, (x, y) => (isBlue(x, y) ? [0, 0, 255] : [90, 90, 90]));
  const scales = [{ enlargement: 1, maxLongSide: 10_000 }];
  const passes = planTextPasses(planTiles(raster, { kind: 'whole' }), ENTRY.input, {
    scales,
    lowMemory: false,
  });
  let steps = 0;
  const found = await findText(passes, {
    pyramid: createPyramid(raster),
    model: loadedModel(ENTRY, blueTextNet(score)),
    min: 0.25,
    threshold: 0.5,
    onStep: () => steps++,
    signal: new AbortController().signal,
  });
  expect(steps).toBe(passes.length);
  return found;
};

it('text that several scales and windows see is found once, with a quadrilateral around it', async () => {
  const found = await find(1500, 300, (x, y) => x >= 300 && x < 1200 && y >= 100 && y < 112);
  expect(found).toHaveLength(1);
  const { box, corners } = found[0]!;
  expect(areConvex(corners!)).toBe(true);
  expect([box.x1 < 300, box.y1 < 100, box.x2 > 1200, box.y2 > 112]).toEqual([true, true, true, true]);
});

it('the box ends at the image’s edge, and the quadrilateral goes on', async () => {
  const [text] = await find(512, 256, (x, y) => x < 200 && y < 12);
  expect(text!.box).toMatchObject({ x1: 0, y1: 0 });
  expect(text!.corners![0][1]).toBeLessThan(0);
});

it('weak text is a candidate with a score below the threshold', async () => {
  const isBlue = (x: number, y: number): boolean => x >= 100 && x < 300 && y >= 100 && y < 112;
  const [weak] = await find(512, 256, isBlue, 0.4);
  expect(weak!.score).toBeLessThan(0.5);
});
