import { describe, expect, it } from 'vitest';
import { videoResultWith, stateWith } from '../testing/pictures';
import { hasUnappliedEdits, type MediaItem } from './media-item';
import { mutedParts, withMutedParts } from './muted-parts';
import { reduceApp, type AppEvent } from './pictures';
import { NO_VIDEO_EDITS, withDrawn, withRange, withTrack } from './video-edits';

const ID = 'a.mp4';
const START = stateWith({ [ID]: videoResultWith('task', [{ firstS: 0, lastS: 1, bestS: 0, frames: 9 }]) });
const BOX = { timeUs: 40_000, box: { x1: 1, y1: 2, x2: 30, y2: 40 } };
const PART = { startS: 1, endS: 2 };
const RANGE = { fromUs: 1e6, untilUs: 2e6 };

const after = (...events: readonly AppEvent[]): MediaItem => events.reduce(reduceApp, START).pictures[0]!;
const undo: AppEvent = { type: 'video-stepped', id: ID, direction: 'undone' };
const redo: AppEvent = { type: 'video-stepped', id: ID, direction: 'redone' };
const edited = (edits: MediaItem['videoEdits'], step?: string): AppEvent => ({
  ...{ type: 'video-edited', id: ID, edits },
  ...(step !== undefined && { step }),
});

const SHOWN = withTrack(NO_VIDEO_EDITS, 3, false);
const RANGED = withRange(SHOWN, 3, RANGE);
const DRAWN = withDrawn(RANGED, BOX);
const MUTED = withMutedParts(DRAWN, [PART]);
const ALL = [SHOWN, RANGED, DRAWN, MUTED];

describe('the edits of a video', () => {
  it('are undone and redone one after another: tracks, ranges, drawn boxes and muted parts', () => {
    const events = ALL.map((edits) => edited(edits));
    for (const [index, edits] of [NO_VIDEO_EDITS, ...ALL].entries()) {
      const undoing = Array.from({ length: ALL.length - index }, () => undo);
      expect(after(...events, ...undoing).videoEdits).toEqual(edits);
      expect(after(...events, ...undoing, ...undoing.map(() => redo)).videoEdits).toEqual(MUTED);
    }
  });

  it('are undone together if they belong to one step, such as pressing an arrow key repeatedly', () => {
    const moved = (byS: number) => withMutedParts(NO_VIDEO_EDITS, [{ startS: 1 + byS, endS: 2 + byS }]);
    const events = [edited(moved(0)), ...[0.1, 0.2, 0.3].map((byS) => edited(moved(byS), 'arrows 0 whole'))];
    expect(mutedParts(after(...events, undo).videoEdits)).toEqual([PART]);
  });

  it('that are undone after they were applied wait to be applied again', () => {
    const [{ result }] = START.pictures as readonly [MediaItem];
    const applied: AppEvent[] = [
      edited(SHOWN),
      { type: 'applied' },
      { type: 'started', id: ID },
      { type: 'finished', id: ID, result: { ...result!, video: { ...result!.video!, made: SHOWN } } },
    ];
    expect(hasUnappliedEdits(after(...applied))).toBe(false);
    const back = after(...applied, undo);
    expect([back.videoEdits, hasUnappliedEdits(back)]).toEqual([NO_VIDEO_EDITS, true]);
    expect(hasUnappliedEdits(after(...applied, undo, redo))).toBe(false);
  });

  it('of earlier tracks cannot be restored after a new detection, because numbers have another meaning', () => {
    const again: readonly AppEvent[] = [
      { type: 'retried', id: ID },
      { type: 'started', id: ID },
      { type: 'finished', id: ID, result: START.pictures[0]!.result! },
    ];
    const events = [...ALL.map((edits) => edited(edits)), ...again];
    const kept = after(...events);
    const states = [kept.videoSteps!.past, kept.videoEdits, kept.videoSteps!.future].flat();
    expect(states.map(({ visibleTracks, ranges }) => [visibleTracks, ranges])).toEqual(
      states.map(() => [[], undefined]),
    );
    expect(after(...events, undo).videoEdits).toEqual(withDrawn(NO_VIDEO_EDITS, BOX));
    expect(after(...events, undo, undo, undo).videoEdits).toEqual(NO_VIDEO_EDITS);
  });

  it('of tracks that are made during a new detection do not apply to its result', () => {
    const result = START.pictures[0]!.result!;
    const during = [{ type: 'retried', id: ID }, { type: 'started', id: ID }, edited(SHOWN)] as const;
    const done = after(...during, { type: 'finished', id: ID, result });
    expect([done.videoEdits.visibleTracks, done.haveTracksChanged]).toEqual([[], true]);
    expect(after(...during, { type: 'finished', id: ID, result }, undo).videoEdits.visibleTracks).toEqual([]);
  });
});

it('an edit of a video ends the undoing of an earlier change of all images by the keys', () => {
  const found = videoResultWith('task', []);
  const state = { ...stateWith({ [ID]: found }), doneForAll: { isLatest: true } as never };
  expect(reduceApp(state, edited(SHOWN)).doneForAll?.isLatest).toBe(false);
});
