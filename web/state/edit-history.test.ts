import { describe, expect, it } from 'vitest';
import { toBox, type Bbox } from '#shared/domain/boxes';
import { type NumberedDetection, ignoredArea } from '#shared/domain/edits/edits';
import {
  type EditEvent,
  type EditHistory,
  transferEdits,
  nextKey,
  NO_HISTORY,
  NO_ITEM_EDITS,
  reduceEdits,
} from './edit-history';

const BOX: Bbox = [0, 0, 10, 10];
const OTHER: Bbox = [50, 50, 70, 80];
const after = (...events: readonly EditEvent[]): EditHistory => events.reduce(reduceEdits, NO_HISTORY);
const off: EditEvent = { type: 'changed', id: 3, change: { hidden: false } };
const drawn: EditEvent = {
  type: 'drawn',
  area: { key: -1, type_label: 'face', shape: 'box', bbox: BOX },
};
const undo: EditEvent = { type: 'undone' };
const redo: EditEvent = { type: 'redone' };
const face = (id: number, bbox: Bbox): NumberedDetection => ({
  id,
  detection: { objectClass: 'face', score: 0.9, box: toBox(bbox) },
});

describe('the history of edits', () => {
  it('undoes one edit after another, and redoes them', () => {
    const edited = after(off, drawn);
    expect(reduceEdits(edited, undo).present).toEqual(after(off).present);
    expect(after(off, drawn, undo, undo).present).toEqual(NO_ITEM_EDITS);
    expect(after(off, drawn, undo, undo, redo, redo).present).toEqual(edited.present);
  });

  it('does not change if there is nothing to undo or redo', () => {
    expect(after(undo)).toBe(NO_HISTORY);
    expect(after(off, redo).present).toEqual(after(off).present);
  });

  it('drops the undone steps after another edit', () => {
    expect(after(off, undo, drawn).future).toEqual([]);
  });

  it('undoes the edits of one step together', () => {
    const move = (x: number): EditEvent => ({
      type: 'changed',
      id: 3,
      change: { bbox: [x, 0, 10, 10] },
      step: 'arrows 3',
    });
    expect(after(off, move(1), move(2), move(3), undo).present).toEqual(after(off).present);
    expect(after(move(1), off, move(2), undo).present).toEqual(after(move(1), off).present);
  });

  it('keeps a limited number of steps', () => {
    expect(after(...Array.from({ length: 300 }, () => off)).past.length).toBeLessThanOrEqual(200);
  });
});

describe('an edit', () => {
  it('is added to earlier changes of the same object', () => {
    const moved: EditEvent = { type: 'changed', id: 3, change: { bbox: OTHER } };
    expect(after(off, moved).present.objects).toEqual([{ id: 3, hidden: false, bbox: OTHER }]);
  });

  it('can reset the method of an object to the general method', () => {
    const own: EditEvent = { type: 'changed', id: 3, change: { method: 'blacken' } };
    const none: EditEvent = { type: 'changed', id: 3, change: { method: undefined } };
    expect(after(own, none).present.objects).toEqual([{ id: 3 }]);
  });

  it('moves a drawn area, and deletes it completely', () => {
    const moved: EditEvent = { type: 'changed', id: -1, change: { bbox: OTHER } };
    expect(after(drawn, moved).present.areas[0]).toMatchObject({ shape: 'box', bbox: OTHER });
    expect(after(drawn, { type: 'deleted', id: -1 }).present).toEqual(NO_ITEM_EDITS);
  });

  it('adds the areas of another image only once', () => {
    const areas = after(drawn, { type: 'kept', area: { key: -2, ...ignoredArea(toBox(OTHER)) } }).present;
    const added: EditEvent = { type: 'areas-added', areas };
    const here: EditEvent = {
      type: 'drawn',
      area: { key: -1, type_label: 'face', shape: 'ellipse', bbox: OTHER },
    };
    const { present } = after(here, added);
    const ids = [...present.areas, ...present.ignores].map(({ key }) => key);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(after(here, added, added)).toEqual(after(here, added));
    expect(after(here, added, undo).present).toEqual(after(here).present);
  });

  it('keeps areas that are always hidden apart: a corner moves with its polygon, and copies occur once', () => {
    const points = [[0, 0], [10, 0], [0, 10]] as const; // oxfmt-ignore
    const hidden: EditEvent = { type: 'always-hidden', areas: [{ key: -2, points, method: 'blur' }] };
    const moved: EditEvent = { type: 'changed', id: -2, change: { bbox: [5, 5, 25, 15], method: undefined } };
    const { present } = after(drawn, hidden, moved);
    expect(present.hides).toEqual([{ key: -2, points: [[5, 5], [25, 5], [5, 15]] }]); // oxfmt-ignore
    expect(present.areas).toEqual(after(drawn).present.areas);
    expect(nextKey(present)).toBe(-3);
    const copied = after({ type: 'areas-added', areas: present }, { type: 'areas-added', areas: present });
    expect(copied.present.hides).toHaveLength(1);
    expect(after(drawn, hidden, { type: 'deleted', id: -2 }).present.hides).toEqual([]);
    expect(after(drawn, hidden, undo).present).toEqual(after(drawn).present);
  });

  it('numbers areas with negative ids, each different from all others', () => {
    const first = nextKey(NO_ITEM_EDITS);
    expect(first).toBeLessThan(0);
    expect(nextKey(after(drawn).present)).toBeLessThan(-1);
  });
});

describe('a new detection run', () => {
  it('transfers edits to the new numbers of the objects', () => {
    const kept = transferEdits(after(off, drawn), [face(3, BOX)], [face(0, OTHER), face(1, BOX)]);
    expect(kept.present.objects).toEqual([{ id: 1, hidden: false }]);
    expect(kept.present.areas).toHaveLength(1);
  });

  it('does not make another object visible when a switched-off object is not detected again', () => {
    for (const found of [[face(3, OTHER)], []]) {
      expect(transferEdits(after(off), [face(3, BOX)], found).present.objects).toEqual([]);
    }
    expect(transferEdits(after(off), undefined, [face(3, BOX)]).present.objects).toEqual([]);
  });
});
