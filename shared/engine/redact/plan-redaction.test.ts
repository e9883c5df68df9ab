import { describe, expect, it } from 'vitest';
import { coverOf } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { boxHeight, boxWidth, clipBox, growBox, type Box, unionBox } from '../../domain/boxes';
import { cornerBounds, growCorners, mapCorners, rotateAround } from '../../domain/detection';
import { fillShape, shapeBounds } from '../masks/fill-shape';
import { CLASS_RULES } from '../../catalogue/class-rules';
import { OBJECT_CLASSES, perClass, type ObjectClass } from '../../catalogue/classes';
import type { Method } from '../../catalogue/methods';
import type { Region, Shape } from '../../domain/plan';
import { paddedBox } from './plan-redaction';

const SIZE = { width: 1000, height: 800 };
const regionOf = (objectClass: ObjectClass, box: Box, method: Method = 'blur', bbox = false): Region =>
  planFor(SIZE, [found(objectClass, box)], { method, bbox }).regions[0]!;
const blurCell = (objectClass: ObjectClass, width: number, height: number): number =>
  regionOf(objectClass, boxOf(100, 100, 100 + width, 100 + height)).cellPx;

describe('the strength of blur', () => {
  it('leaves one cell of faces and plates, because none of their pixels is used', () => {
    expect(blurCell('face', 60, 90)).toBe(90);
    expect(blurCell('license-plate', 120, 30)).toBe(120);
  });

  it('is 91 px on persons and 61 px on vehicles, or relative to the object if that is more', () => {
    expect(blurCell('person', 40, 100)).toBe(91);
    expect(blurCell('vehicle', 100, 60)).toBe(61);
    expect(blurCell('person', 400, 600)).toBeCloseTo(140);
    expect(blurCell('vehicle', 600, 300)).toBeCloseTo(105);
  });

  it('never falls to single pixels on the smallest objects', () => {
    for (const objectClass of OBJECT_CLASSES) expect(blurCell(objectClass, 2, 2)).toBeGreaterThanOrEqual(4);
  });
});

describe('the strength of pixelate', () => {
  it('leaves at most 8 cells across the shorter side, and cells of 4 px at least', () => {
    for (const objectClass of OBJECT_CLASSES) {
      for (let side = 1; side < 400; side += 7) {
        const { cellPx } = regionOf(objectClass, boxOf(0, 0, 2 * side, side), 'pixelate');
        expect(cellPx).toBeGreaterThanOrEqual(Math.max(4, side / 8));
      }
    }
  });

  it('leaves no more than one cell for the height of a plate', () => {
    expect(regionOf('license-plate', boxOf(100, 100, 300, 150), 'pixelate').cellPx).toBeGreaterThanOrEqual(
      50,
    );
  });
});

describe('a line of text', () => {
  /** 120 x 20 px, turned by 45°. */
  const corners = mapCorners(
    [
      [190, 190],
      [310, 190],
      [310, 210],
      [190, 210],
    ],
    (corner) => rotateAround(corner, [250, 200], Math.PI / 4),
  );
  const turned = { ...found('text', { ...cornerBounds(corners) }), corners };
  const regionWith = (method: 'blur' | 'pixelate', detection = turned) =>
    planFor(SIZE, [detection], { method }).regions[0]!;

  it('is hidden by cells three times as long as it is high, whatever its angle', () => {
    for (const method of ['blur', 'pixelate'] as const) {
      expect(regionWith(method).cellPx).toBeCloseTo(60);
    }
  });

  it('is hidden by its quadrilateral, also at the edge of the image', () => {
    const moved = mapCorners(corners, ([x, y]) => [x - 220, y]);
    const atEdge = { ...turned, corners: moved, box: cornerBounds(moved) };
    for (const detection of [turned, atEdge]) {
      expect(regionWith('blur', detection).shape).toEqual({ kind: 'quad', corners: detection.corners });
    }
  });

  it('without a quadrilateral is hidden by its box', () => {
    const box = boxOf(100, 100, 220, 120);
    expect(regionOf('text', box).shape).toEqual({
      kind: 'box',
      box: paddedBox({ objectClass: 'text', box }),
    });
  });
});

describe('the shape of a region', () => {
  const box = boxOf(200, 200, 300, 260);
  const kinds = (bbox: boolean) =>
    perClass((objectClass) => regionOf(objectClass, box, 'blur', bbox).shape.kind);

  it('is an ellipse for faces, a box for plates and text, an ellipse or its mask for persons, a superellipse for vehicles', () => {
    expect(kinds(false)).toMatchObject({
      ...{ face: 'ellipse', 'license-plate': 'box', text: 'box' },
      ...{ person: 'ellipse', vehicle: 'superellipse' },
    });
    const person = found('person', box);
    const mask: Shape = { kind: 'runs', box, runs: [0, 6000] };
    expect(planFor(SIZE, [person], {}, new Map([[person, mask]])).regions[0]!.shape).toBe(mask);
  });

  it('is the box for every class with `bbox`, with or without masks, with a hard edge', () => {
    expect(kinds(true)).toEqual(perClass(() => 'box'));
    const person = found('person', box);
    const mask: Shape = { kind: 'runs', box, runs: [0, 6000] };
    const region = planFor(SIZE, [person], { bbox: true }, new Map([[person, mask]])).regions[0]!;
    expect(region.shape.kind).toBe('box');
    expect(region.featherPx).toBe(0);
  });

  it('extends beyond the box on all sides', () => {
    for (const objectClass of OBJECT_CLASSES) {
      const bounds = shapeBounds(regionOf(objectClass, box).shape);
      expect(bounds.x1).toBeLessThan(box.x1);
      expect(bounds.y1).toBeLessThan(box.y1);
      expect(bounds.x2).toBeGreaterThan(box.x2);
      expect(bounds.y2).toBeGreaterThan(box.y2);
    }
  });

  it.each([false, true])(
    'has the same ratio for all faces, and hides no less than their boxes (bbox: %s)',
    (bbox) => {
      const ratios = [boxOf(200, 200, 230, 290), boxOf(200, 200, 272, 290), boxOf(200, 200, 290, 270)].map(
        (face) => {
          const { shape } = regionOf('face', face, 'blur', bbox);
          const bounds = shapeBounds(shape);
          expect(unionBox(bounds, growBox(face, ...CLASS_RULES.face.strength.padding))).toEqual(bounds);
          return boxWidth(bounds) / boxHeight(bounds);
        },
      );
      for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0]!);
    },
  );

  it('has the ratio of a face on the sphere: away from the equator of a panorama faces are wider', () => {
    const size = { width: 2000, height: 1000 };
    const heightOf = (box: Box): number => {
      const { regions } = planFor(size, [found('face', box)], { format: { kind: 'pano', width: 2000 } });
      return boxHeight(shapeBounds(regions[0]!.shape));
    };
    const atEquator = heightOf(boxOf(1000, 470, 1045, 530));
    // At 50° north everything is 1.56 times as wide.
    expect(heightOf(boxOf(1000, 192, 1070, 252))).toBeCloseTo(atEquator, 0);
    expect(heightOf(boxOf(1000, 470, 1070, 530))).toBeGreaterThan(1.4 * atEquator);
  });

  it('shows the ratio of a face’s box neither by its soft edge nor by its cells', () => {
    const [narrow, wide] = [
      regionOf('face', boxOf(200, 200, 230, 300)),
      regionOf('face', boxOf(200, 200, 270, 300)),
    ];
    expect({ feather: narrow.featherPx, cell: narrow.cellPx }).toEqual({
      feather: wide.featherPx,
      cell: wide.cellPx,
    });
  });

  it('extends beyond a plate by a share of its height, at any length', () => {
    const beyond = (width: number): number =>
      200 - shapeBounds(regionOf('license-plate', boxOf(200, 200, 200 + width, 240)).shape).x1;
    expect(beyond(60)).toBeCloseTo(beyond(300));
    expect(beyond(60)).toBeGreaterThan(8);
  });

  it('is the quadrilateral of a tilted plate with known corners, with the same margin', () => {
    const corners = [
      [200, 200],
      [300, 240],
      [292, 260],
      [192, 220],
    ] as const;
    const tilted = { ...found('license-plate', boxOf(192, 200, 300, 260)), corners };
    const { shape } = planFor(SIZE, [tilted]).regions[0]!;
    expect(shape).toEqual({ kind: 'quad', corners: growCorners(corners, 0.3, 0.2) });
    expect(planFor(SIZE, [tilted], { bbox: true }).regions[0]!.shape.kind).toBe('box');
    const crossed = { ...tilted, corners: [corners[0], corners[2], corners[1], corners[3]] as const };
    expect(planFor(SIZE, [crossed]).regions[0]!.shape.kind).toBe('box');
  });

  it('has a soft edge only with blur', () => {
    for (const objectClass of OBJECT_CLASSES) {
      expect(regionOf(objectClass, box, 'blur').featherPx).toBeGreaterThanOrEqual(2);
      for (const method of ['pixelate', 'blacken', 'detect'] as const) {
        expect(regionOf(objectClass, box, method).featherPx).toBe(0);
      }
    }
  });
});

describe('an object that the image’s edge cuts', () => {
  const size = { width: 80, height: 70 };
  const cutBoxes = [
    boxOf(-20, 20, 20, 60),
    boxOf(60, 10, 100, 60),
    boxOf(20, -25, 60, 15),
    boxOf(15, 50, 55, 100),
    boxOf(-20, -20, 20, 20),
    boxOf(64, 45, 96, 95),
    boxOf(-10, -30, 90, 30),
  ];

  it.each(OBJECT_CLASSES)('is hidden up to the edge: %s', (objectClass) => {
    for (const box of cutBoxes) {
      /* Detectors report what is in the image; the object's outline goes on outside. */
      const seen = found(objectClass, clipBox(box, size.width, size.height));
      const cover = coverOf(planFor(size, [seen], { method: 'blacken' }));
      const outline = new Uint8Array(size.width * size.height);
      fillShape({ kind: 'ellipse', box }, boxOf(0, 0, size.width, size.height), outline);
      const open = outline.filter((inside, i) => inside === 255 && cover[i] !== 255).length;
      expect(open, JSON.stringify(box)).toBe(0);
    }
  });
});

describe('a plan', () => {
  it('numbers its objects in order and keeps their boxes inside the image', () => {
    const plan = planFor(SIZE, [
      found('face', boxOf(-30, -5, 40, 50)),
      found('vehicle', boxOf(900, 700, 1200, 1000)),
    ]);
    expect(plan.regions.map(({ id }) => id)).toEqual([0, 1]);
    expect(plan.regions.map(({ detection }) => detection.box)).toEqual([
      boxOf(0, 0, 40, 50),
      boxOf(900, 700, 1000, 800),
    ]);
  });

  it('is plain data, which can be stored', () => {
    const person = found('person', boxOf(10.25, 20.1, 60.7, 99.99));
    const mask: Shape = { kind: 'runs', box: boxOf(10, 20, 61, 100), runs: [5, 4000, 75] };
    const plan = planFor(
      SIZE,
      [person, found('face', boxOf(1 / 3, 2 / 3, 30, 40))],
      {},
      new Map([[person, mask]]),
    );
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });
});

describe('a margin', () => {
  const FACE = boxOf(100, 100, 160, 190);
  const boundsWith = (options: Parameters<typeof planFor>[2]): readonly Box[] =>
    planFor(SIZE, [found('face', FACE), found('vehicle', FACE)], options).regions.map(({ shape }) =>
      shapeBounds(shape),
    );

  it.each([false, true])(
    'makes shapes as many times as wide and as high, about their middle: bbox %s',
    (bbox) => {
      const usual = boundsWith({ bbox });
      expect(boundsWith({ bbox, margin: 1 })).toEqual(usual);
      boundsWith({ bbox, margin: 1.5 }).forEach((grown, i) => {
        for (const [side, length] of Object.entries(growBox(usual[i]!, 0.25))) {
          expect(grown[side as 'x1']).toBeCloseTo(length as number);
        }
      });
    },
  );

  it('of a class holds for that class instead of the general one', () => {
    const [face, vehicle] = boundsWith({ margin: 1.2, margins: { face: 2 } });
    expect(boxWidth(face!)).toBeCloseTo(2 * boxWidth(boundsWith({})[0]!));
    expect(boxWidth(vehicle!)).toBeCloseTo(1.2 * boxWidth(boundsWith({})[1]!));
  });

  it('leaves the strength and the place of the object as they are', () => {
    const [usual, grown] = [{}, { margin: 2 }].map((options) =>
      planFor(SIZE, [found('person', FACE)], options),
    );
    const { shape: _usual, ...rest } = usual!.regions[0]!;
    expect(grown!.regions[0]).toMatchObject(rest);
  });
});
