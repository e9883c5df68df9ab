import { mutedPartOf } from '#shared/domain/edits/edits';
import { describe, expect, it } from 'vitest';
import { videoResultWith, stateWith } from '../testing/items';
import { hasUnappliedEdits, type MediaItem } from './media-item';
import { withMutedParts } from './muted-parts';
import { reduceApp, type AppEvent } from './app-reducer';
import { NO_ITEM_EDITS, type ItemEdits } from './edit-history';
import { withDrawn, withRange, withTrack } from './video-edits';

const ID = 'a.mp4';
const START = stateWith({ [ID]: videoResultWith('task', [{ firstS: 0, lastS: 1, bestS: 0, frames: 9 }]) });
const BOX = { at: 0.04, bbox: [1, 2, 30, 40] } as const;
const PART = [1, 2] as const;
const RANGE = { start: 1, end: 2 };

const after = (...events: readonly AppEvent[]): MediaItem => events.reduce(reduceApp, START).items[0]!;
const undo: AppEvent = { type: 'edited', id: ID, edit: { type: 'undone' } };
const redo: AppEvent = { type: 'edited', id: ID, edit: { type: 'redone' } };
const edited = (edits: ItemEdits, step?: string): AppEvent => ({
  ...{ type: 'edited', id: ID },
  edit: { type: 'replaced', edits, ...(step !== undefined && { step }) },
});

const SHOWN = withTrack(NO_ITEM_EDITS, 3, false);
const RANGED = withRange(SHOWN, 3, RANGE);
const DRAWN = withDrawn(RANGED, BOX);
const MUTED = withMutedParts(DRAWN, [mutedPartOf(PART)]);
const ALL = [SHOWN, RANGED, DRAWN, MUTED];

describe('the edits of a video', () => {
  it('are undone and redone one after another: tracks, ranges, drawn boxes and muted parts', () => {
    const events = ALL.map((edits) => edited(edits));
    for (const [index, edits] of [NO_ITEM_EDITS, ...ALL].entries()) {
      const undoing = Array.from({ length: ALL.length - index }, () => undo);
      expect(after(...events, ...undoing).edits.present).toEqual(edits);
      expect(after(...events, ...undoing, ...undoing.map(() => redo)).edits.present).toEqual(MUTED);
    }
  });

  it('are undone together if they belong to one step, such as pressing an arrow key repeatedly', () => {
    const moved = (byS: number) => withMutedParts(NO_ITEM_EDITS, [{ start: 1 + byS, end: 2 + byS }]);
    const events = [edited(moved(0)), ...[0.1, 0.2, 0.3].map((byS) => edited(moved(byS), 'arrows 0 whole'))];
    expect(after(...events, undo).edits.present.mute).toEqual([PART]);
  });

  it('that are undone after they were applied wait to be applied again', () => {
    const [{ result }] = START.items as readonly [MediaItem];
    const applied: AppEvent[] = [
      edited(SHOWN),
      { type: 'applied' },
      { type: 'started', id: ID },
      { type: 'finished', id: ID, result: { ...result!, video: { ...result!.video!, appliedEdits: SHOWN } } },
    ];
    expect(hasUnappliedEdits(after(...applied))).toBe(false);
    const back = after(...applied, undo);
    expect([back.edits.present, hasUnappliedEdits(back)]).toEqual([NO_ITEM_EDITS, true]);
    expect(hasUnappliedEdits(after(...applied, undo, redo))).toBe(false);
  });

  it('of earlier tracks cannot be restored after a new detection, because numbers have another meaning', () => {
    const again: readonly AppEvent[] = [
      { type: 'retried', id: ID },
      { type: 'started', id: ID },
      { type: 'finished', id: ID, result: START.items[0]!.result! },
    ];
    const events = [...ALL.map((edits) => edited(edits)), ...again];
    const kept = after(...events);
    const states = [kept.edits.past, kept.edits.present, kept.edits.future].flat();
    expect(states.map(({ objects }) => objects)).toEqual(states.map(() => []));
    expect(after(...events, undo).edits.present).toEqual(withDrawn(NO_ITEM_EDITS, BOX));
    expect(after(...events, undo, undo, undo).edits.present).toEqual(NO_ITEM_EDITS);
  });

  it('of tracks that are made during a new detection do not apply to its result', () => {
    const result = START.items[0]!.result!;
    const during = [{ type: 'retried', id: ID }, { type: 'started', id: ID }, edited(SHOWN)] as const;
    const done = after(...during, { type: 'finished', id: ID, result });
    expect([done.edits.present.objects, done.haveTracksChanged]).toEqual([[], true]);
    expect(after(...during, { type: 'finished', id: ID, result }, undo).edits.present.objects).toEqual([]);
  });
});

it('an edit of a video ends the undoing of an earlier change of all images by the keys', () => {
  const found = videoResultWith('task', []);
  const state = { ...stateWith({ [ID]: found }), doneForAll: { isLatest: true } as never };
  expect(reduceApp(state, edited(SHOWN)).doneForAll?.isLatest).toBe(false);
});
