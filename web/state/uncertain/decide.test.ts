import { describe, expect, it } from 'vitest';
import { toBbox } from '#shared/domain/boxes';
import { listObjects } from '#shared/domain/edits/list-objects';
import { resultWith, stateWith, videoResultWith } from '../../testing/items';
import { hasUnappliedEdits, type MediaItem } from '../media-item';
import { reduceApp } from '../app-reducer';
import { beforeDecision, decide, type Decision } from './decide';
import type { UncertainObject } from './uncertain-object';
import { plainName } from '../stored-choice';
import { cropRegion } from './crop-cache';

const BOX = { x1: 100, y1: 100, x2: 140, y2: 150 };
const IMAGE = stateWith({
  'a.jpg': resultWith('task', [
    { objectClass: 'face', score: 0.55, box: BOX },
    { objectClass: 'face', score: 0.45, box: BOX },
  ]),
}).items[0]!;
const VIDEO = stateWith({
  'a.mp4': videoResultWith('task', [{ firstS: 0, lastS: 1, bestS: 0, frames: 9 }]),
}).items[0]!;

const uncertain = (
  target: UncertainObject['target'],
  reason: UncertainObject['reason'],
): UncertainObject => ({
  ...{ fileId: 'a', key: 'the object', uncertainty: 1, objectClass: 'face', score: 0.5, box: BOX },
  ...{ target, reason },
});
const ABOVE = uncertain({ kind: 'object', id: 0 }, 'above-threshold');
const BELOW = uncertain({ kind: 'object', id: 1 }, 'below-threshold');
const TRACK = uncertain({ kind: 'track', id: 0 }, 'weak-track');
const PLACE = uncertain({ kind: 'place', drawn: { at: 0.04, bbox: toBbox(BOX) } }, 'abrupt-end');

const after = (item: MediaItem, object: UncertainObject, decision: Decision): MediaItem => ({
  ...item,
  ...decide(item, object, decision),
});
const hiddenIn = ({ edits, settings, result }: MediaItem): readonly number[] =>
  listObjects(result?.editable?.found ?? [], settings!, edits.present).flatMap(({ id, isHidden }) =>
    isHidden ? [id] : [],
  );

describe('a decision about an object of an image', () => {
  it('hides or shows it, on both sides of the threshold', () => {
    expect(hiddenIn(IMAGE)).toEqual([0]);
    expect(hiddenIn(after(IMAGE, BELOW, 'hide'))).toEqual([0, 1]);
    expect(hiddenIn(after(IMAGE, BELOW, 'show'))).toEqual([0]);
    expect(hiddenIn(after(IMAGE, ABOVE, 'hide'))).toEqual([0]);
    expect(hiddenIn(after(IMAGE, ABOVE, 'show'))).toEqual([]);
  });

  it('is an edit like any other, which the editor undoes', () => {
    const shown = reduceApp(stateWith({ 'a.jpg': IMAGE.result }), {
      type: 'decided',
      id: 'a.jpg',
      after: decide(IMAGE, ABOVE, 'show'),
    });
    const undone = reduceApp(shown, { type: 'edited', id: 'a.jpg', edit: { type: 'undone' } });
    expect([shown, undone].map(({ items }) => hiddenIn(items[0]!))).toEqual([[], [0]]);
  });
});

describe('a decision about a video', () => {
  it('shows a track, or keeps it hidden, which needs no new rendering', () => {
    const shown = after(VIDEO, TRACK, 'show');
    expect([shown.edits.present.objects, hasUnappliedEdits(shown)]).toEqual([
      [{ id: 0, hidden: false }],
      true,
    ]);
    const hidden = after(shown, TRACK, 'hide');
    expect(hidden.edits.present.objects).toEqual([{ id: 0, hidden: true }]);
    expect(hasUnappliedEdits(hidden)).toBe(false);
  });

  it('hides a place by a drawn box; showing it changes nothing', () => {
    expect(after(VIDEO, PLACE, 'hide').edits.present.areas).toEqual([
      { key: -1, type_label: 'license-plate', shape: 'box', at: 0.04, bbox: toBbox(BOX) },
    ]);
    expect(after(VIDEO, PLACE, 'show').edits).toBe(VIDEO.edits);
  });

  it('is an edit like any other, which the editor undoes', () => {
    const shown = reduceApp(stateWith({ 'a.mp4': VIDEO.result }), {
      type: 'decided',
      id: 'a.mp4',
      after: decide(VIDEO, TRACK, 'show'),
    });
    const undone = reduceApp(shown, { type: 'edited', id: 'a.mp4', edit: { type: 'undone' } });
    expect([shown, undone].map(({ items }) => items[0]?.edits.present.objects)).toEqual([
      [{ id: 0, hidden: false }],
      [],
    ]);
  });
});

it('a decision that is taken back leaves no trace', () => {
  for (const [item, object] of [
    [IMAGE, BELOW],
    [VIDEO, TRACK],
    [VIDEO, PLACE],
  ] as const) {
    const before = beforeDecision(item);
    const undone = { ...after(item, object, 'hide'), ...before };
    expect(beforeDecision(undone)).toEqual(before);
  }
});

describe('waiting edits of a video', () => {
  it('are rendered once, when no further decisions about it are expected', () => {
    const state = stateWith({ 'a.mp4': VIDEO.result });
    const decided = reduceApp(state, {
      type: 'decided',
      id: 'a.mp4',
      after: decide(VIDEO, TRACK, 'show'),
    });
    expect(decided.items[0]?.status).toBe('done');
    const other = reduceApp(decided, { type: 'decisions-ended', ids: new Set(['b']) });
    expect(other.items[0]?.status).toBe('done');
    const ended = reduceApp(decided, { type: 'decisions-ended', ids: new Set(['a.mp4']) });
    expect(ended.items[0]).toMatchObject({ status: 'waiting', revision: 'wanted' });
  });

  it('need no rendering if all decisions were taken back', () => {
    const state = stateWith({ 'a.mp4': VIDEO.result });
    const before = beforeDecision(VIDEO);
    const undone = reduceApp(state, { type: 'decided', id: 'a.mp4', after: before });
    const ended = reduceApp(undone, { type: 'decisions-ended', ids: new Set(['a.mp4']) });
    expect(ended.items[0]?.status).toBe('done');
  });
});

it('the name of a reviewer has no control characters and at most 200 characters', () => {
  expect(plainName('  Zoë\n\u202eMüller\u0000 ')).toBe('Zoë  Müller');
  expect(plainName('😀'.repeat(300))).toBe('😀'.repeat(200));
});

it('a crop contains its object with what is around it, and stays inside the image', () => {
  const size = { width: 400, height: 300 };
  expect(cropRegion({ x1: 180, y1: 130, x2: 220, y2: 160 }, size)).toEqual({
    ...{ x1: 140, y1: 100, x2: 260, y2: 190 },
  });
  expect(cropRegion({ x1: 0, y1: 0, x2: 30, y2: 30 }, size)).toEqual({ x1: 0, y1: 0, x2: 120, y2: 90 });
  expect(cropRegion({ x1: 0, y1: 0, x2: 400, y2: 300 }, size)).toEqual({ x1: 0, y1: 0, x2: 400, y2: 300 });
});
