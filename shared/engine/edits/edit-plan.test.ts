import { METHODS } from '../../catalogue/methods';
import {
  type AreaEdit,
  type DrawnShape,
  type Edits,
  type ObjectEdit,
  ignoredArea,
  wholePixels,
  hidingOf,
} from '../../domain/edits/edits';
import { describe, expect, it } from 'vitest';
import { coverOf, redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { createRaster, pixelAt } from '../../testing/rasters';
import { boxArea, toBbox, type Box } from '../../domain/boxes';
import { listObjects } from '../../domain/edits/list-objects';
import { editPlan, numberDetections } from './edit-plan';
import { renderMask } from '../redact/mask';
import type { RedactionPlan } from '../../domain/plan';
import { defaultImageOptions } from '../../domain/options';
import { reportPlan } from '../redact/report';

const SIZE = { width: 120, height: 90 };
const FACE = boxOf(20, 20, 40, 44);
const CAR = boxOf(60, 30, 110, 70);
const UNSURE = boxOf(80, 5, 90, 15);
const BASE: RedactionPlan = {
  ...planFor(SIZE, [found('face', FACE), found('vehicle', CAR)]),
  candidates: [found('face', UNSURE, 0.3)],
};
const UPLOADED = defaultImageOptions({ method: 'blacken' });
const edited = (edits: Edits = {}, base = BASE): RedactionPlan => editPlan(base, edits, UPLOADED);
const withChange = (change: Omit<ObjectEdit, 'id'>): RedactionPlan =>
  edited({ objects: [{ id: 0, ...change }] });
const drawn = (shape: DrawnShape, changed: Partial<Pick<AreaEdit, 'hidden'>> = {}): AreaEdit => ({
  type_label: 'face',
  ...shape,
  ...changed,
});
const box = (area: Box): DrawnShape => ({ shape: 'box', bbox: toBbox(area) });

const coverAt = (plan: RedactionPlan, x: number, y: number): number =>
  coverOf(plan)[y * SIZE.width + x] as number;
const middleOf = ({ x1, y1, x2, y2 }: Box): [number, number] => [
  Math.floor((x1 + x2) / 2),
  Math.floor((y1 + y2) / 2),
];
const hides = (plan: RedactionPlan, area: Box): boolean => coverAt(plan, ...middleOf(area)) === 255;

describe('a plan without edits', () => {
  it('equals the plan that the same settings give at first', () => {
    for (const method of METHODS) {
      const { candidates: _none, ...first } = BASE;
      const fresh = planFor(
        SIZE,
        BASE.regions.map(({ detection }) => detection),
        { method },
      );
      expect(edited({ method }, first)).toEqual(fresh);
    }
  });

  it('hides detections above a lowered threshold, and no longer those below a raised one', () => {
    const low = edited({ thresholds: { face: 0.25 } });
    expect([hides(low, FACE), hides(low, UNSURE)]).toEqual([true, true]);
    const high = edited({ thresholds: { face: 0.95 } });
    expect([hides(high, FACE), hides(high, UNSURE), hides(high, CAR)]).toEqual([false, false, true]);
  });

  it('does not hide unwanted classes', () => {
    const plan = edited({ classes: ['vehicle'] });
    expect([hides(plan, FACE), hides(plan, CAR)]).toEqual([false, true]);
  });

  it('hides a class by its own method, and an object by its own', () => {
    const methods = { vehicle: 'pixelate' } as const;
    const plan = edited({ methods });
    const pixelated = edited({ method: 'pixelate' });
    expect(plan.regions.map(({ method }) => method)).toEqual([undefined, 'pixelate']);
    expect(plan.regions[1]).toMatchObject({ ...pixelated.regions[1] });
    expect(edited({ objects: [{ id: 1, method: 'blur' }], methods }).regions[1]?.method).toBe('blur');
  });

  it('contains no candidates', () => {
    expect(edited()).not.toHaveProperty('candidates');
  });
});

describe('an object', () => {
  it('that is switched off or deleted is unchanged, and in no mask and no report', () => {
    const image = createRaster(SIZE.width, SIZE.height, (x, y) => [x, y, 99]);
    for (const change of [{ hidden: false }, { deleted: true }]) {
      const plan = withChange(change);
      expect(pixelAt(redacted(image, plan), ...middleOf(FACE))).toEqual(pixelAt(image, ...middleOf(FACE)));
      expect(hides(plan, CAR)).toBe(true);
      expect(reportPlan(plan, 0).detections.map(({ objectClass }) => objectClass)).toEqual(['vehicle']);
      const [x, y] = middleOf(FACE);
      expect(renderMask(plan, 'binary', 100).data[y * SIZE.width + x]).toBe(0);
    }
  });

  it('stays in the list when it is switched off, but not when it is deleted', () => {
    const ids = (change: Omit<ObjectEdit, 'id'>): readonly number[] =>
      listObjects(numberDetections(BASE), hidingOf({}, UPLOADED), { objects: [{ id: 0, ...change }] }).map(
        ({ id }) => id,
      );
    expect(ids({ hidden: false })).toEqual([0, 1]);
    expect(ids({ deleted: true })).toEqual([1]);
  });

  it('is hidden at the place and size to which it was moved, and no longer at the old place', () => {
    const plan = withChange({ bbox: [70, 72, 90, 88] });
    expect(hides(plan, FACE)).toBe(false);
    expect(hides(plan, boxOf(70, 72, 90, 88))).toBe(true);
    expect(reportPlan(plan, 0).detections[0]?.box).toEqual(boxOf(70, 72, 90, 88));
  });

  it('that was moved stays hidden at any threshold, because a person has confirmed it', () => {
    expect(hides(edited({ objects: [{ id: 2, bbox: toBbox(UNSURE) }] }), UNSURE)).toBe(true);
  });

  it('of another class is hidden as that class is', () => {
    const plan = withChange({ type_label: 'license-plate' });
    expect(plan.regions[0]?.shape.kind).toBe('box');
    expect(reportPlan(plan, 0).detections[0]?.objectClass).toBe('license-plate');
  });

  it('is hidden by its own method, and the others by that of the image', () => {
    const image = createRaster(SIZE.width, SIZE.height, (x) => [x % 2 ? 255 : 0, 0, 200]);
    const plan = edited({ objects: [{ id: 0, method: 'blacken' }], method: 'pixelate' });
    const after = redacted(image, plan);
    expect(pixelAt(after, ...middleOf(FACE)).slice(0, 3)).toEqual([0, 0, 0]);
    expect(pixelAt(after, ...middleOf(CAR))[2]).toBe(200);
  });

  it('that lies outside the image hides nothing', () => {
    expect(withChange({ bbox: [-50, -50, -20, -20] }).regions).toHaveLength(1);
  });

  it('takes its mask along when it is moved', () => {
    const person = found('person', boxOf(10, 10, 20, 20));
    const outline = { kind: 'runs', box: boxOf(10, 10, 20, 20), runs: [0, 10, 90] } as const;
    const base = planFor(SIZE, [person], {}, new Map([[person, outline]]));
    const plan = edited({ objects: [{ id: 0, bbox: [50, 40, 60, 50] }] }, base);
    expect([coverAt(plan, 55, 40), coverAt(plan, 55, 45), coverAt(plan, 15, 10)]).toEqual([255, 0, 0]);
  });
});

describe('a drawn area', () => {
  it('is hidden exactly, and is in masks and report', () => {
    const area = boxOf(50, 75, 61, 84);
    const plan = edited({ areas: [drawn(box(area))], classes: [] });
    expect(coverOf(plan).filter((cover) => cover === 255)).toHaveLength(boxArea(area));
    expect(coverOf(plan).some((cover) => cover > 0 && cover < 255)).toBe(false);
    expect(renderMask(plan, 'binary', 100).data.filter(Boolean)).toHaveLength(boxArea(area));
    expect(reportPlan(plan, 0).detections).toMatchObject([
      { id: 0, objectClass: 'face', score: 1, box: area, isAnonymised: true },
    ]);
  });

  it.each([
    ['a box', box(boxOf(110, 40, 130, 60))],
    ['an ellipse', { shape: 'ellipse', bbox: [110, 40, 130, 60] }],
    [
      'a brush',
      {
        shape: 'stroke',
        points: [
          [114, 50],
          [126, 50],
        ],
        radius: 4,
      },
    ],
  ] as const)('of %s over the seam of a panorama hides both edges', (_name, shape) => {
    const hidesEdges = (base: RedactionPlan): boolean[] => {
      const plan = edited({ areas: [drawn(shape)], classes: [] }, base);
      return [116, 4].map((x) => coverAt(plan, x, 50) === 255);
    };
    expect(hidesEdges({ ...BASE, wraps: true })).toEqual([true, true]);
    expect(hidesEdges(BASE)).toEqual([true, false]);
  });

  it('of a brush hides the whole stroke', () => {
    const points = [
      [5, 80],
      [60, 85],
      [115, 60],
    ] as const;
    const plan = edited({ areas: [drawn({ shape: 'stroke', points, radius: 4 })], classes: [] });
    for (const [x, y] of points) {
      expect([coverAt(plan, x, y), coverAt(plan, x - 3, y), coverAt(plan, x, y - 3)]).toEqual([
        255, 255, 255,
      ]);
    }
    expect(coverAt(plan, 32, 82)).toBe(255);
    expect(coverAt(plan, 32, 70)).toBe(0);
  });

  it('hides nothing if it is switched off or outside of the image', () => {
    const outside = boxOf(-9, -9, 0, 0);
    const stroke = { shape: 'stroke', points: [[-20, -20]], radius: 5 } as const;
    for (const area of [drawn(box(FACE), { hidden: false }), drawn(box(outside)), drawn(stroke)]) {
      expect(edited({ areas: [area], classes: [] }).regions).toEqual([]);
    }
  });

  it('keeps its number at any threshold, while reports count from 0', () => {
    const plan = edited({ areas: [drawn(box(FACE)), drawn(box(CAR))], classes: [] });
    expect(plan.regions.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('that is kept visible is unchanged, except for pixels that it contains only partly', () => {
    const plan = edited({ ignores: [wholePixels(ignoredArea(boxOf(24.5, 20, 60, 44)))] });
    expect([coverAt(plan, 24, 32), coverAt(plan, 25, 32), coverAt(plan, 80, 50)]).toEqual([255, 0, 255]);
  });
});

describe('text on a plate', () => {
  const PLATE = boxOf(30, 30, 70, 42);
  const TEXT = boxOf(32, 31, 68, 41);
  const base: RedactionPlan = {
    ...planFor(SIZE, [found('license-plate', PLATE)]),
    candidates: [found('text', TEXT)],
  };
  const classesAfter = (edits: Edits): string[] =>
    edited({ classes: ['license-plate', 'text'], ...edits }, base).regions.map(
      ({ detection }) => detection.objectClass,
    );

  it('is hidden by the plate', () => {
    expect(classesAfter({})).toEqual(['license-plate']);
  });

  it('is hidden as text if edits delete the plate, or hide no plates', () => {
    expect(classesAfter({ objects: [{ id: 0, deleted: true }] })).toEqual(['text']);
    expect(classesAfter({ classes: ['text'] })).toEqual(['text']);
    expect(classesAfter({ thresholds: { 'license-plate': 0.95 } })).toEqual(['text']);
  });

  it('is visible if edits show the plate', () => {
    expect(classesAfter({ objects: [{ id: 0, hidden: false }] })).toEqual([]);
  });
});

describe('the face of a subject', () => {
  const faces = [{ id: 0, confidence: 0.8 }];
  const shown = (edits: Edits = {}): RedactionPlan => editPlan(BASE, edits, UPLOADED, faces);

  it('is visible in the image and in the mask, and reported as not anonymised with its confidence', () => {
    const plan = shown();
    const raster = createRaster(SIZE.width, SIZE.height, (x, y) => [x, y, 90]);
    const before = pixelAt(raster, ...middleOf(FACE));
    expect(pixelAt(redacted(raster, plan), ...middleOf(FACE))).toEqual(before);
    const { pixels } = { pixels: renderMask(plan, 'binary', 100) };
    const [x, y] = middleOf(FACE);
    expect(pixels.data[y * SIZE.width + x]).toBe(0);
    const [face, car] = reportPlan(plan, 0).detections;
    expect(face).toMatchObject({ isAnonymised: false, shownConfidence: 0.8 });
    expect(car).toMatchObject({ isAnonymised: true });
    expect(car).not.toHaveProperty('shownConfidence');
  });

  it('stays hidden if the edits name it, or an area is drawn over it', () => {
    expect(shown({ objects: [{ id: 0 }] }).regions[0]?.shown).toBeUndefined();
    expect(shown({ areas: [drawn(box(FACE))] }).regions[0]?.shown).toBeUndefined();
  });

  it('stays hidden under a drawn area of the class person, which is not taken for its body', () => {
    const area = { ...drawn(box(FACE)), type_label: 'person' } as const;
    expect(shown({ areas: [area] }).regions.map((region) => region.shown)).not.toContain(0.8);
  });
});

describe('a margin of the upload', () => {
  const MARGINS = { margin: 1.5 };
  const base: RedactionPlan = {
    ...planFor(SIZE, [found('face', FACE), found('vehicle', CAR)], MARGINS),
    candidates: [found('face', UNSURE, 0.3)],
  };
  const shapesOf = (edits: Edits, bbox = false) =>
    editPlan(base, edits, { ...UPLOADED, ...MARGINS, bbox }).regions.map(({ shape }) => shape);

  it('stays once on objects that are hidden, and candidates get it', () => {
    const planned = planFor(
      SIZE,
      [found('face', FACE), found('vehicle', CAR), found('face', UNSURE)],
      MARGINS,
    );
    expect(shapesOf({ thresholds: { face: 0.2 } })).toEqual(planned.regions.map(({ shape }) => shape));
  });

  it('stays on boxes', () => {
    const planned = planFor(SIZE, [found('face', FACE), found('vehicle', CAR)], { ...MARGINS, bbox: true });
    expect(shapesOf({}, true)).toEqual(planned.regions.map(({ shape }) => shape));
  });

  it('does not change areas that a person draws', () => {
    expect(shapesOf({ areas: [drawn(box(UNSURE))] }).at(-1)).toEqual({ kind: 'box', box: UNSURE });
  });
});
