import { expect, it } from 'vitest';
import type { Edits } from '../../domain/edits/edits';
import { defaultImageOptions } from '../../domain/options';
import type { RedactionPlan } from '../../domain/plan';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, pixelAt, plainRaster } from '../../testing/rasters';
import { editFrame } from '../edits/edit-frame';
import { editPlan } from '../edits/edit-plan';
import { planAreas, withAreas } from '../edits/hidden-areas';
import { drawPlan, labelPlan } from './draw-plan';
import { drawReasonLabels } from './reason-labels';

const SIZE = { width: 200, height: 150 };
const FACE = boxOf(20, 20, 60, 70);
const SMALL = boxOf(100, 20, 140, 43);
const CODES = [
  { code: 'b6', label: 'Privacy' },
  { code: '(b)(7)(C)', label: 'Law enforcement' },
];
const OPTIONS = defaultImageOptions({
  ...{ method: 'blacken', reasonLabels: true, reasons: CODES, classReasons: { face: 'b6' } },
});
const FACES = planFor(SIZE, [found('face', FACE), found('face', SMALL)], { method: 'blacken' });
const labelsOf = ({ labels = [] }: RedactionPlan) => labels.map(({ text, box }) => [text, box.x1]);

it('masks of at least 24 px have the codes of their classes, where the upload asks for that', async () => {
  expect(labelsOf(await labelPlan(FACES, OPTIONS))).toEqual([['b6', 20]]);
  expect(await labelPlan(FACES, { ...OPTIONS, reasonLabels: false })).toEqual(FACES);
});

it('an object that is visible has no code, nor one whose code the list lacks', async () => {
  const shown = { ...FACES, regions: FACES.regions.map((region) => ({ ...region, shown: 0.9 })) };
  expect(await labelPlan(shown, OPTIONS)).not.toHaveProperty('labels');
  expect(await labelPlan(FACES, { ...OPTIONS, reasons: [] })).not.toHaveProperty('labels');
});

it('objects, drawn areas and areas that are always hidden have codes of their own', async () => {
  const edits: Edits = {
    objects: [{ id: 0, reason: '(b)(7)(C)' }],
    areas: [{ type_label: 'face', shape: 'box', bbox: [150, 20, 190, 60], reason: '(b)(7)(C)' }],
    hides: [{ topLeftX: 20, topLeftY: 90, width: 60, height: 40, reason: 'b6' }],
  };
  const plan = withAreas(editPlan(FACES, edits, OPTIONS), planAreas(edits, SIZE));
  expect(labelsOf(await labelPlan(plan, OPTIONS, edits))).toEqual([
    ['(b)(7)(C)', 20],
    ['(b)(7)(C)', 150],
    ['b6', 20],
  ]);
});

it('tracks and drawn areas of videos have codes of their own', async () => {
  const area = {
    type_label: 'face',
    shape: 'box',
    bbox: [100, 60, 140, 100],
    at: 0,
    reason: '(b)(7)(C)',
  } as const;
  const edits: Edits = { objects: [{ id: 7, reason: '(b)(7)(C)' }], areas: [area] };
  const regions = FACES.regions.map((region) => ({ ...region, trackId: 7 + region.id }));
  const box = boxOf(100, 60, 140, 100);
  const frame = {
    index: 0,
    timestampUs: 0,
    durationUs: 40_000,
    raster: plainRaster(SIZE.width, SIZE.height, [9, 9, 9]),
  };
  const plan = editFrame(frame, { regions, places: [{ area, box, seen: box }] }, { options: OPTIONS, edits });
  expect(labelsOf(await labelPlan(plan, OPTIONS, edits))).toEqual([
    ['(b)(7)(C)', 20],
    ['(b)(7)(C)', 100],
  ]);
});

it('a code is drawn in white on black inside its mask, and reveals nothing', async () => {
  const raster = plainRaster(SIZE.width, SIZE.height, [90, 120, 150]);
  const [plain, labelled] = [copyRaster(raster), copyRaster(raster)];
  const plan = await labelPlan(FACES, OPTIONS);
  await drawPlan(plain, FACES);
  await drawPlan(labelled, plan);
  const changed: number[][] = [];
  for (let y = 0; y < SIZE.height; y++) {
    for (let x = 0; x < SIZE.width; x++) {
      const [before, after] = [pixelAt(plain, x, y), pixelAt(labelled, x, y)];
      if (before.join() === after.join()) continue;
      expect([[0, 0, 0], [255, 255, 255]]).toContainEqual(after.slice(0, 3)); // oxfmt-ignore
      changed.push([x, y]);
    }
  }
  expect(changed.length).toBeGreaterThan(10);
  expect(changed.every(([x, y]) => x! >= 20 && x! < 60 && y! >= 20 && y! < 70)).toBe(true);
});

it('a code that is wider than its mask is left out', () => {
  const raster = plainRaster(SIZE.width, SIZE.height, [9, 9, 9]);
  const before = copyRaster(raster);
  drawReasonLabels(raster, [{ box: boxOf(10, 10, 30, 60), text: '(b)(7)(C)' }]);
  expect(raster.data).toEqual(before.data);
});
