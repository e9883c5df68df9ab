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
  it('undoes one edit after another, and redoes them', () => {
    const edited = after(off, drawn);
    expect(reduceEdits(edited, undo).present).toEqual(after(off).present);
    expect(after(off, drawn, undo, undo).present).toEqual(NO_EDITS);
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
      change: { box: { ...BOX, x1: x } },
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
    const moved: EditEvent = { type: 'changed', id: 3, change: { box: OTHER } };
    expect(after(off, moved).present.changes[3]).toEqual({ isOff: true, box: OTHER });
  });

  it('can reset the method of an object to the general method', () => {
    const own: EditEvent = { type: 'changed', id: 3, change: { method: 'blacken' } };
    const none: EditEvent = { type: 'changed', id: 3, change: { method: undefined } };
    expect(after(own, none).present.changes[3]).toEqual({});
  });

  it('moves a drawn area, and deletes it completely', () => {
    const moved: EditEvent = { type: 'changed', id: -1, change: { box: OTHER } };
    expect(after(drawn, moved).present.drawn[0]?.outline).toEqual({ kind: 'box', box: OTHER });
    expect(after(drawn, { type: 'deleted', id: -1 }).present).toEqual(NO_EDITS);
  });

  it('adds the areas of another image only once', () => {
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

  it('numbers areas with negative ids, each different from all others', () => {
    const first = nextAreaId(NO_EDITS);
    expect(first).toBeLessThan(0);
    expect(nextAreaId(after(drawn).present)).toBeLessThan(-1);
  });
});

describe('a new detection run', () => {
  it('transfers edits to the new numbers of the objects', () => {
    const kept = carryEdits(after(off, drawn), [face(3, BOX)], [face(0, OTHER), face(1, BOX)]);
    expect(kept.present.changes).toEqual({ 1: { isOff: true } });
    expect(kept.present.drawn).toHaveLength(1);
  });

  it('does not make another object visible when a switched-off object is not detected again', () => {
    for (const found of [[face(3, OTHER)], []]) {
      expect(carryEdits(after(off), [face(3, BOX)], found).present.changes).toEqual({});
    }
    expect(carryEdits(after(off), undefined, [face(3, BOX)]).present.changes).toEqual({});
  });
});
