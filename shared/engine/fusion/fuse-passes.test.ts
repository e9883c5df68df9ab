import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { boxWidth, type Box } from '../../domain/boxes';
import { fusePasses, minForFusion, type PassDetections } from './fuse-passes';
import { fitLongSide } from '../pixels/letterbox';
import type { TileDetection } from './merge';
import type { ObjectClass } from '../../catalogue/classes';
import type { Tile } from '../pixels/tile';

const WIDTH = 1000;
const WHOLE: Tile = { x: 0, y: 0, width: WIDTH, height: 600, wraps: false };
const UNCUT = { x: false, y: false };
const BOX = boxOf(100, 100, 200, 300);

const one = (
  score: number,
  box: Box = BOX,
  objectClass: ObjectClass = 'person',
  cut = UNCUT,
): TileDetection => ({
  objectClass,
  score,
  box,
  cut,
});
const look = (found: readonly TileDetection[], tile = WHOLE, part = tile): PassDetections => ({
  tile,
  fit: fitLongSide(part, 512, 32),
  found,
});
const join = (...passes: readonly PassDetections[]) => fusePasses(passes, { person: 0.4, face: 0.5 }, WIDTH);

describe('an object in several passes', () => {
  it('is one detection if the boxes agree, with their common score', () => {
    const joined = join(look([one(0.6)]), look([one(0.6)]));
    expect(joined).toEqual([{ ...one(0.6), score: expect.closeTo(0.6, 9) as number }]);
  });

  it('scores less where a pass over the same place detects nothing', () => {
    expect(join(look([one(0.6)]), look([]))[0]?.score).toBeCloseTo(0.45);
    expect(join(look([one(0.5)]), look([]))).toEqual([]);
  });

  it('is confirmed by a pass with less than the minimum score', () => {
    expect(join(look([one(0.5)]), look([one(0.3)]))[0]?.score).toBeCloseTo(0.45);
    expect(minForFusion({ person: 0.4, face: 0.5 }).person).toBeLessThan(0.3);
  });

  it('is dropped if no pass reaches the minimum score, however many nearly do', () => {
    expect(join(look([one(0.39)]), look([one(0.39)]), look([one(0.39)]))).toEqual([]);
  });

  it('has a box half-way between the mean and the outermost edges', () => {
    const [joined] = join(
      look([one(0.8, boxOf(100, 100, 200, 300))]),
      look([one(0.4, boxOf(110, 100, 220, 300))]),
    );
    expect([joined!.box.x1, joined!.box.x2].map(Math.round)).toEqual([101, 212]);
  });

  it('stays separate from a neighbour', () => {
    const neighbour = boxOf(160, 100, 260, 300);
    expect(join(look([one(0.9)]), look([one(0.9, neighbour)]))).toHaveLength(2);
  });

  it('has the score of the only pass', () => {
    expect(join(look([one(0.41)]))).toEqual([{ ...one(0.41), score: expect.closeTo(0.41, 9) as number }]);
  });

  it('scores no less because of passes over other tiles, or windows that do not contain it', () => {
    const aside: Tile = { ...WHOLE, x: 500, width: 500 };
    const [joined] = join(look([one(0.5)]), look([], aside), look([], WHOLE, aside));
    expect(joined?.score).toBeCloseTo(0.5);
  });

  it('scores no less because of passes at scales at which it is tiny', () => {
    const tiny = one(0.5, boxOf(100, 100, 110, 120));
    const close: PassDetections = { tile: WHOLE, fit: fitLongSide(WHOLE, 2000, 32), found: [tiny] };
    expect(join(look([]), close)[0]?.score).toBeCloseTo(0.5);
    expect(join(close, { ...close, found: [] })).toEqual([]);
  });

  it('counts a pass across a panorama’s seam for objects beyond it', () => {
    const around: Tile = { ...WHOLE, x: 800, wraps: true };
    expect(join(look([one(0.6)], around), look([], around))[0]?.score).toBeCloseTo(0.45);
  });

  it('stays unchanged if a tile cuts it, or if it is a face', () => {
    const cut = one(0.5, BOX, 'person', { x: true, y: false });
    const face = one(0.5, BOX, 'face');
    expect(join(look([cut, face]), look([]))).toEqual([cut, face]);
    expect(join(look([{ ...cut, score: 0.3 }]), look([]))).toEqual([]);
  });

  it('keeps the masks of all passes, because a box may be of two persons', () => {
    const outlined = (id: number): TileDetection => ({
      ...one(0.8, boxOf(100, 100, 200 + id, 300)),
      masks: [{ x: id, y: 0, width: 1, height: 1, scaleX: 1, scaleY: 1, data: new Uint8Array(1) }] as never,
    });
    const [joined] = join(look([outlined(1)]), look([outlined(2)]));
    expect(joined?.masks).toHaveLength(2);
    // Two boxes of one pass that are nearly the same may be of two persons, too.
    expect(join(look([outlined(1), outlined(2)])).map(({ masks }) => masks?.length)).toEqual([2]);
    const unsure = { ...outlined(2), score: 0.3 };
    expect(join(look([outlined(1), unsure])).map(({ masks }) => masks?.length)).toEqual([1]);
    expect(boxWidth(joined!.box)).toBe(101);
  });
});
