import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { intersectionOverSmaller, type Box } from '../../domain/boxes';
import type { DetectorMask } from '../../domain/detection';
import { mergeDetections, type TileDetection } from './merge';
import type { ObjectClass } from '../../catalogue/classes';

const SIZE = [2000, 1000] as const;
const UNCUT = { x: false, y: false };
const CUT_X = { x: true, y: false };
const CUT_Y = { x: false, y: true };

const seen = (
  objectClass: ObjectClass,
  box: Box,
  cut: TileDetection['cut'] = UNCUT,
  score = 0.8,
): TileDetection => ({
  objectClass,
  box,
  cut,
  score,
});
/** A mask that is identified by the value of its first cell. */
const outline = (name: number): DetectorMask => ({
  data: Float32Array.of(name),
  columns: 1,
  rows: 1,
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
});
const merged = (...found: readonly TileDetection[]) => mergeDetections(found, ...SIZE);
const boxes = (...found: readonly TileDetection[]) => merged(...found).map(({ box }) => box);

describe('merging the detections of tiles and scales', () => {
  it('reports a plate cut by a tile border once, as a whole', () => {
    const left = seen('license-plate', boxOf(940, 500, 1000, 540), CUT_X, 0.7);
    const right = seen('license-plate', boxOf(1000, 502, 1080, 541), CUT_X, 0.9);
    expect(merged(left, right)).toEqual([
      { objectClass: 'license-plate', score: 0.9, box: boxOf(940, 500, 1080, 541) },
    ]);
  });

  it('keeps the corners of a whole plate, but not of a joined one', () => {
    const corners = [
      [940, 500],
      [1000, 505],
      [1000, 540],
      [940, 535],
    ] as const;
    const left = { ...seen('license-plate', boxOf(940, 500, 1000, 540)), corners };
    expect(merged(left)).toEqual([
      { objectClass: 'license-plate', score: 0.8, box: boxOf(940, 500, 1000, 540), corners },
    ]);
    const right = { ...seen('license-plate', boxOf(1000, 502, 1080, 541), CUT_X), corners };
    expect(merged({ ...left, cut: CUT_X }, right)[0]).not.toHaveProperty('corners');
  });

  it('finds a plate once that is cut in one tile and whole in another', () => {
    const whole = seen('license-plate', boxOf(940, 500, 1080, 540), UNCUT, 0.6);
    const piece = seen('license-plate', boxOf(940, 500, 1000, 541), CUT_X, 0.95);
    expect(boxes(piece, whole)).toEqual([whole.box]);
  });

  it('finds a person once that a border between upper and lower tile cuts', () => {
    const upper = seen('person', boxOf(300, 380, 360, 500), CUT_Y);
    const lower = seen('person', boxOf(296, 500, 362, 590), CUT_Y);
    expect(boxes(upper, lower)).toEqual([boxOf(296, 380, 362, 590)]);
  });

  it('joins a bus that reaches over three tiles', () => {
    const pieces = [boxOf(400, 300, 600, 500), boxOf(600, 298, 1200, 502), boxOf(1200, 300, 1390, 499)].map(
      (box) => seen('vehicle', box, CUT_X),
    );
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      expect(boxes(...order.map((i) => pieces[i]!))).toEqual([boxOf(400, 298, 1390, 502)]);
    }
  });

  it('joins pieces that overlap, as tiles do', () => {
    const pieces = [boxOf(850, 300, 1000, 400), boxOf(920, 300, 1100, 402)];
    expect(boxes(...pieces.map((box) => seen('vehicle', box, CUT_X)))).toEqual([boxOf(850, 300, 1100, 402)]);
  });

  it('keeps two neighbouring cars separate', () => {
    const pair = [boxOf(100, 300, 300, 420), boxOf(270, 305, 480, 425)];
    expect(boxes(...pair.map((box) => seen('vehicle', box)))).toEqual(pair);
  });

  it('does not join pieces that meet a border at different heights', () => {
    const pieces = [boxOf(900, 100, 1000, 200), boxOf(1000, 180, 1100, 300)];
    expect(boxes(...pieces.map((box) => seen('vehicle', box, CUT_X)))).toHaveLength(2);
  });

  it('does not join pieces that are apart', () => {
    const pieces = [boxOf(800, 100, 900, 200), boxOf(1100, 100, 1200, 200)];
    expect(boxes(...pieces.map((box) => seen('vehicle', box, CUT_X)))).toHaveLength(2);
  });

  it('keeps a cut piece without a counterpart: half a hidden object is better than none', () => {
    const piece = seen('face', boxOf(960, 100, 1000, 160), CUT_X);
    const elsewhere = seen('face', boxOf(100, 100, 150, 160));
    expect(boxes(piece, elsewhere)).toHaveLength(2);
  });

  it('keeps a large piece that contains a small object', () => {
    const piece = seen('person', boxOf(800, 100, 1000, 700), CUT_X);
    const child = seen('person', boxOf(850, 500, 900, 650), UNCUT, 0.6);
    const covered = boxes(piece, child);
    expect(covered.some((box) => intersectionOverSmaller(box, piece.box) === 1 && box.x1 === 800)).toBe(true);
  });

  it('keeps one detection of an object that several scales found', () => {
    const found = [0, 1, 2].map((i) =>
      seen('face', boxOf(100 + i, 100, 150 + i, 160 - i), UNCUT, 0.5 + i / 10),
    );
    expect(merged(...found)).toEqual([{ objectClass: 'face', score: 0.7, box: found[2]!.box }]);
  });

  it('keeps a plate in a scene that was read as one, but not the letters of a plate', () => {
    const plate = seen('license-plate', boxOf(100, 500, 160, 520), UNCUT, 0.6);
    const scene = seen('license-plate', boxOf(0, 0, 600, 600));
    const letters = seen('license-plate', boxOf(100, 500, 130, 520), UNCUT, 0.5);
    expect(boxes(scene, plate, letters)).toEqual([scene.box, plate.box]);
  });

  it('keeps a face and its person separate', () => {
    expect(
      merged(seen('person', boxOf(100, 100, 200, 400)), seen('face', boxOf(130, 105, 170, 160))),
    ).toHaveLength(2);
  });

  it('lists classes in their fixed order, the best of each first', () => {
    const found = [
      seen('vehicle', boxOf(0, 0, 100, 100)),
      seen('face', boxOf(200, 0, 240, 40), UNCUT, 0.5),
      seen('person', boxOf(400, 0, 500, 200)),
      seen('face', boxOf(600, 0, 640, 40), UNCUT, 0.9),
      seen('license-plate', boxOf(800, 0, 900, 30)),
    ];
    expect(merged(...found).map(({ objectClass, score }) => `${objectClass} ${score}`)).toEqual([
      'face 0.9',
      'face 0.5',
      'license-plate 0.8',
      'person 0.8',
      'vehicle 0.8',
    ]);
  });

  it('clips boxes to the image and drops empty ones', () => {
    expect(boxes(seen('face', boxOf(-20, -10, 30, 40)))).toEqual([boxOf(0, 0, 30, 40)]);
    expect(boxes(seen('face', boxOf(2010, 10, 2050, 50)), seen('face', boxOf(10, 10, 11.5, 50)))).toEqual([]);
  });

  it('adds the mask of a person whose box is dropped, so that the person stays hidden', () => {
    const [near, behind, far] = [
      boxOf(100, 100, 200, 400),
      boxOf(120, 100, 225, 400),
      boxOf(500, 100, 600, 400),
    ].map((box, i) => ({ ...seen('person', box, UNCUT, 0.9 - i / 10), masks: [outline(i)] }));
    const outlines = merged(near!, behind!, far!).map((one) => one.masks?.map(({ data }) => data[0]));
    expect(outlines).toEqual([[0, 1], [2]]);
  });

  it('keeps no mask of a joined box', () => {
    const left = { ...seen('person', boxOf(940, 500, 1000, 540), CUT_X), masks: [outline(1)] };
    const right = { ...seen('person', boxOf(1000, 502, 1080, 541), CUT_X), masks: [outline(2)] };
    expect(merged(left, right).map(({ masks }) => masks)).toEqual([undefined]);
  });
});
