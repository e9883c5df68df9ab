import { expect, it } from 'vitest';
import { boxOf } from '#shared/testing/plans';
import { newPicture } from './media-item';
import { emptyState, reduceApp, type AppEvent } from './pictures';
import { defaultSettings } from './settings';
import {
  keptEdits,
  NO_VIDEO_EDITS,
  rangeOf,
  sameVideoEdits,
  withDrawn,
  withDrawnRange,
  withRange,
  withTrack,
} from './video-edits';

const RANGE = { fromUs: 1e6, untilUs: 2e6 };
const LATER = { fromUs: 4e6, untilUs: 5e6 };
const DRAWN = withDrawn(NO_VIDEO_EDITS, { timeUs: 3e6, box: boxOf(0, 0, 9, 9) });

it('a track has one range, and removing the range restores the unedited state', () => {
  const edits = withRange(withRange(NO_VIDEO_EDITS, 7, RANGE), 7, LATER);
  expect(rangeOf(edits, 7)).toMatchObject(LATER);
  expect(sameVideoEdits(edits, NO_VIDEO_EDITS)).toBe(false);
  expect(sameVideoEdits(withRange(edits, 7, undefined), NO_VIDEO_EDITS)).toBe(true);
});

it('equal ranges compare as equal in any order', () => {
  const one = withRange(withRange(NO_VIDEO_EDITS, 7, RANGE), 8, RANGE);
  expect(sameVideoEdits(one, withRange(withRange(NO_VIDEO_EDITS, 8, RANGE), 7, RANGE))).toBe(true);
  expect(sameVideoEdits(one, withRange(withRange(NO_VIDEO_EDITS, 8, RANGE), 7, LATER))).toBe(false);
});

it('the range of a drawn box contains the time at which it was drawn', () => {
  const rangeAfter = (range: typeof RANGE) => withDrawnRange(DRAWN, 1, range).drawn[0]?.range;
  expect(rangeAfter(RANGE)).toEqual({ fromUs: 1e6, untilUs: 3e6 });
  expect(rangeAfter(LATER)).toEqual({ fromUs: 3e6, untilUs: 5e6 });
  expect(withDrawnRange(withDrawnRange(DRAWN, 1, RANGE), 1, undefined)).toEqual(DRAWN);
});

it('after a new detection run no track is visible, not even for a range; drawn boxes keep their ranges', () => {
  const drawn = withDrawnRange(DRAWN, 1, LATER);
  expect(keptEdits(withRange(withTrack(drawn, 3, false), 7, RANGE))).toEqual(drawn);
});

it('a video with edited tracks reports that all are hidden again after a new detection run, until it is edited', () => {
  const picture = { ...newPicture({ id: 'a', file: new File([], 'a.mp4') }), status: 'done' as const };
  const state = { ...emptyState(defaultSettings()), pictures: [picture] };
  const edited: AppEvent = {
    type: 'video-edited',
    id: 'a',
    edits: withRange(NO_VIDEO_EDITS, 7, RANGE),
  };
  const isReported = (...events: readonly AppEvent[]) =>
    events.reduce(reduceApp, state).pictures[0]?.haveTracksChanged === true;
  const again: AppEvent = { type: 'retried', id: 'a' };
  expect(isReported(again)).toBe(false);
  expect(isReported(edited, again)).toBe(true);
  expect(isReported(edited, again, { type: 'started', id: 'a' })).toBe(true);
  expect(isReported(edited, again, edited)).toBe(false);
});
