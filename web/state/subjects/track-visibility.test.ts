import { describe, expect, it } from 'vitest';
import { stateWith, videoResultWith } from '../../testing/items';
import { NO_ITEM_EDITS, type ItemEdits } from '../edit-history';
import { reduceApp } from '../app-reducer';
import { spansOf, withTrackHidden } from './track-visibility';

const SEEN = { firstS: 0, lastS: 2, bestS: 1, frames: 50 };
const [SHOWN, OTHER] = [0, 1];
const SPAN = { trackId: SHOWN, fromS: 0.5, untilS: 1.5 };
const RANGE = { start: 0, end: 0.000_001 };
const withObject = (object: ItemEdits['objects'][number]): ItemEdits => ({
  ...NO_ITEM_EDITS,
  objects: [object],
});

const result = videoResultWith('a', [SEEN, SEEN]);
const withSpans = { ...result, video: { ...result.video!, shown: [SPAN] } };
const [before] = stateWith({ 'a.mp4': withSpans }).items as [ReturnType<typeof stateWith>['items'][0]];
const chosen = reduceApp(stateWith({ 'a.mp4': withSpans }), { type: 'subject-chosen', show: 'key' });
const item = chosen.items[0]!;

describe('a track of the person who stays visible', () => {
  it('is listed with its times, until a user decides about the track', () => {
    expect(spansOf(item, NO_ITEM_EDITS, SHOWN)).toEqual([SPAN]);
    expect(spansOf(item, NO_ITEM_EDITS, OTHER)).toEqual([]);
    for (const edit of [{ hidden: false }, { hidden: true }, { hidden: false, ...RANGE }]) {
      expect(spansOf(item, withObject({ id: SHOWN, ...edit }), SHOWN)).toEqual([]);
    }
  });

  it('stays hidden when a user hides it, and is visible as before when the user takes that back', () => {
    const hidden = withTrackHidden(item, NO_ITEM_EDITS, SHOWN, true);
    expect(hidden).toEqual(withObject({ id: SHOWN, hidden: true }));
    expect(withTrackHidden(item, hidden, SHOWN, false)).toEqual(NO_ITEM_EDITS);
  });
});

it('another track is made visible by hand, and while a person stays visible, hiding it again is a decision', () => {
  const visible = withTrackHidden(item, NO_ITEM_EDITS, OTHER, false);
  expect(visible).toEqual(withObject({ id: OTHER, hidden: false }));
  expect(withTrackHidden(item, visible, OTHER, true)).toEqual(withObject({ id: OTHER, hidden: true }));
  expect(withTrackHidden(before, visible, OTHER, true)).toEqual(NO_ITEM_EDITS);
});
