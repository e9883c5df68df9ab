import { expect, it } from 'vitest';
import { NO_ITEM_EDITS } from './edit-history';
import { newItem } from './media-item';
import { emptyState, reduceApp, type AppEvent } from './app-reducer';
import { defaultSettings } from './settings';
import {
  isTrackDecided,
  isTrackHidden,
  keptEdits,
  rangeOf,
  sameVideoEdits,
  withDrawn,
  withDrawnRange,
  withRange,
  withTrack,
  withTrackPlaced,
  withTrackReason,
} from './video-edits';

const RANGE = { start: 1, end: 2 };
const LATER = { start: 4, end: 5 };
const DRAWN = withDrawn(NO_ITEM_EDITS, { at: 3, bbox: [0, 0, 9, 9] });

it('a track has one range, and removing the range restores the unedited state', () => {
  const edits = withRange(withRange(NO_ITEM_EDITS, 7, RANGE), 7, LATER);
  expect(rangeOf(edits, 7)).toMatchObject(LATER);
  expect(sameVideoEdits(edits, NO_ITEM_EDITS)).toBe(false);
  expect(sameVideoEdits(withRange(edits, 7, undefined), NO_ITEM_EDITS)).toBe(true);
});

it('equal ranges compare as equal in any order', () => {
  const one = withRange(withRange(NO_ITEM_EDITS, 7, RANGE), 8, RANGE);
  expect(sameVideoEdits(one, withRange(withRange(NO_ITEM_EDITS, 8, RANGE), 7, RANGE))).toBe(true);
  expect(sameVideoEdits(one, withRange(withRange(NO_ITEM_EDITS, 8, RANGE), 7, LATER))).toBe(false);
});

it('the range of a drawn box contains the time at which it was drawn', () => {
  const rangeAfter = (range: typeof RANGE) => withDrawnRange(DRAWN, -1, range).areas[0];
  expect(rangeAfter(RANGE)).toMatchObject({ start: 1, end: 3 });
  expect(rangeAfter(LATER)).toMatchObject({ start: 3, end: 5 });
  expect(withDrawnRange(withDrawnRange(DRAWN, -1, RANGE), -1, undefined)).toEqual(DRAWN);
});

it('after a new detection run no track is visible, not even for a range; drawn boxes keep their ranges', () => {
  const drawn = withDrawnRange(DRAWN, -1, LATER);
  expect(keptEdits(withRange(withTrack(drawn, 3, false), 7, RANGE))).toEqual(drawn);
});

it('a video with edited tracks reports that all are hidden again after a new detection run, until it is edited', () => {
  const item = { ...newItem({ id: 'a', file: new File([], 'a.mp4') }), status: 'done' as const };
  const state = { ...emptyState(defaultSettings()), items: [item] };
  const edited: AppEvent = {
    type: 'edited',
    id: 'a',
    edit: { type: 'replaced', edits: withRange(NO_ITEM_EDITS, 7, RANGE) },
  };
  const isReported = (...events: readonly AppEvent[]) =>
    events.reduce(reduceApp, state).items[0]?.haveTracksChanged === true;
  const again: AppEvent = { type: 'retried', id: 'a' };
  expect(isReported(again)).toBe(false);
  expect(isReported(edited, again)).toBe(true);
  expect(isReported(edited, again, { type: 'started', id: 'a' })).toBe(true);
  expect(isReported(edited, again, edited)).toBe(false);
});

it('a track keeps its place, class and reason when it is shown and hidden again', () => {
  const place = { bbox: [1, 2, 3, 4], at: 1, type_label: 'person' } as const;
  const placed = withTrackReason(withTrackPlaced(NO_ITEM_EDITS, 7, place), 7, 'b6');
  const again = withTrack(withTrack(placed, 7, false), 7, true);
  expect(again.objects).toEqual([{ id: 7, ...place, reason: 'b6' }]);
  expect([isTrackHidden(placed, 7), isTrackDecided(placed, 7)]).toEqual([true, false]);
  expect(sameVideoEdits(placed, NO_ITEM_EDITS)).toBe(false);
});
