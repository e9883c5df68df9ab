import { describe, expect, it } from 'vitest';
import { stateWith, videoResultWith } from '../../testing/pictures';
import { NO_VIDEO_EDITS } from '../video-edits';
import { reduceApp } from '../pictures';
import { spansOf, withTrackHidden } from './track-visibility';

const SEEN = { firstS: 0, lastS: 2, bestS: 1, frames: 50 };
const [SHOWN, OTHER] = [0, 1];
const SPAN = { trackId: SHOWN, fromS: 0.5, untilS: 1.5 };
const RANGE = { trackId: SHOWN, fromUs: 0, untilUs: 1 };

const result = videoResultWith('a', [SEEN, SEEN]);
const withSpans = { ...result, video: { ...result.video!, shown: [SPAN] } };
const [before] = stateWith({ 'a.mp4': withSpans }).pictures as [ReturnType<typeof stateWith>['pictures'][0]];
const chosen = reduceApp(stateWith({ 'a.mp4': withSpans }), { type: 'subject-chosen', show: 'key' });
const picture = chosen.pictures[0]!;

describe('a track of the person who stays visible', () => {
  it('is listed with its times, until a user decides about the track', () => {
    expect(spansOf(picture, SHOWN)).toEqual([SPAN]);
    expect(spansOf(picture, OTHER)).toEqual([]);
    for (const edits of [{ visibleTracks: [SHOWN] }, { decidedTracks: [SHOWN] }, { ranges: [RANGE] }]) {
      expect(spansOf({ ...picture, videoEdits: { ...NO_VIDEO_EDITS, ...edits } }, SHOWN)).toEqual([]);
    }
  });

  it('stays hidden when a user hides it, and is visible as before when the user takes that back', () => {
    const hidden = withTrackHidden(picture, SHOWN, true);
    expect(hidden).toEqual({ ...NO_VIDEO_EDITS, decidedTracks: [SHOWN] });
    expect(withTrackHidden({ ...picture, videoEdits: hidden }, SHOWN, false)).toEqual(NO_VIDEO_EDITS);
  });
});

it('another track is made visible by hand, and while a person stays visible, hiding it again is a decision', () => {
  const visible = withTrackHidden(picture, OTHER, false);
  expect(visible).toEqual({ ...NO_VIDEO_EDITS, visibleTracks: [OTHER] });
  expect(withTrackHidden({ ...picture, videoEdits: visible }, OTHER, true)).toEqual({
    ...NO_VIDEO_EDITS,
    decidedTracks: [OTHER],
  });
  expect(withTrackHidden({ ...before, videoEdits: visible }, OTHER, true)).toEqual(NO_VIDEO_EDITS);
});
