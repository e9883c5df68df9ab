import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/domain/boxes';
import { NO_EDITS, type NumberedDetection } from '#shared/domain/edits/edits';
import {
  carryEdits,
  nextAreaId,
  NO_HISTORY,
  reduceEdits,
  type EditEvent,
  type EditHistory,
} from './edit-history';

const BOX: Box = { x1: 0, y1: 0, x2: 10, y2: 10 };
const OTHER: Box = { x1: 50, y1: 50, x2: 70, y2: 80 };
const after = (...events: readonly EditEvent[]): EditHistory => events.reduce(reduceEdits, NO_HISTORY);
const off: EditEvent = { type: 'changed', id: 3, change: { isOff: true } };
const drawn: EditEvent = {
  type: 'drawn',
  area: { id: -1, objectClass: 'face', outline: { kind: 'box', box: BOX } },
};
const undo: EditEvent = { type: 'undone' };
const redo: EditEvent = { type: 'redone' };
const face = (id: number, box: Box): NumberedDetection => ({
  id,
  detection: { objectClass: 'face', score: 0.9, box },
});

describe('the history of edits', () => {
  it('takes back one edit after the other, and brings them again', () => {
    const edited = after(off, drawn);
    expect(reduceEdits(edited, undo).present).toEqual(after(off).present);
    expect(after(off, drawn, undo, undo).present).toEqual(NO_EDITS);
    expect(after(off, drawn, undo, undo, redo, redo).present).toEqual(edited.present);
  });

  it('stays as it is where there is nothing to take back or to bring again', () => {
    expect(after(undo)).toBe(NO_HISTORY);
    expect(after(off, redo).present).toEqual(after(off).present);
  });

  it('forgets what was taken back when something else is done', () => {
    expect(after(off, undo, drawn).future).toEqual([]);
  });

  it('takes back edits of one step together', () => {
    const move = (x: number): EditEvent => ({
      type: 'changed',
      id: 3,
      change: { box: { ...BOX, x1: x } },
      step: 'arrows 3',
    });
    expect(after(off, move(1), move(2), move(3), undo).present).toEqual(after(off).present);
    expect(after(move(1), off, move(2), undo).present).toEqual(after(move(1), off).present);
  });

  it('keeps no more steps than anybody takes back', () => {
    expect(after(...Array.from({ length: 300 }, () => off)).past.length).toBeLessThanOrEqual(200);
  });
});

describe('an edit', () => {
  it('adds to what was changed about the object before', () => {
    const moved: EditEvent = { type: 'changed', id: 3, change: { box: OTHER } };
    expect(after(off, moved).present.changes[3]).toEqual({ isOff: true, box: OTHER });
  });

  it('gives an object the method of the picture again', () => {
    const own: EditEvent = { type: 'changed', id: 3, change: { method: 'blacken' } };
    const none: EditEvent = { type: 'changed', id: 3, change: { method: undefined } };
    expect(after(own, none).present.changes[3]).toEqual({});
  });

  it('moves what was drawn, and deletes it without a trace', () => {
    const moved: EditEvent = { type: 'changed', id: -1, change: { box: OTHER } };
    expect(after(drawn, moved).present.drawn[0]?.outline).toEqual({ kind: 'box', box: OTHER });
    expect(after(drawn, { type: 'deleted', id: -1 }).present).toEqual(NO_EDITS);
  });

  it('takes areas of another picture over once', () => {
    const areas = after(drawn, { type: 'kept', area: { id: -2, box: OTHER } }).present;
    const added: EditEvent = { type: 'areas-added', areas };
    const here: EditEvent = {
      type: 'drawn',
      area: { id: -1, objectClass: 'face', outline: { kind: 'ellipse', box: OTHER } },
    };
    const { present } = after(here, added);
    const ids = [...present.drawn, ...present.kept].map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(after(here, added, added)).toEqual(after(here, added));
    expect(after(here, added, undo).present).toEqual(after(here).present);
  });

  it('numbers areas so that none is taken for something found, or for another', () => {
    const first = nextAreaId(NO_EDITS);
    expect(first).toBeLessThan(0);
    expect(nextAreaId(after(drawn).present)).toBeLessThan(-1);
  });
});

describe('a new search', () => {
  it('goes on with what was changed, under the numbers that objects have now', () => {
    const kept = carryEdits(after(off, drawn), [face(3, BOX)], [face(0, OTHER), face(1, BOX)]);
    expect(kept.present.changes).toEqual({ 1: { isOff: true } });
    expect(kept.present.drawn).toHaveLength(1);
  });

  it('leaves nothing to be seen that is not what was switched off', () => {
    for (const found of [[face(3, OTHER)], []]) {
      expect(carryEdits(after(off), [face(3, BOX)], found).present.changes).toEqual({});
    }
    expect(carryEdits(after(off), undefined, [face(3, BOX)]).present.changes).toEqual({});
  });
});
