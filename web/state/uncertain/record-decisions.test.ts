import { describe, expect, it, vi } from 'vitest';
import { resultWith, stateWith, videoResultWith } from '../../testing/items';
import type { MediaItem, MediaResult, ContractDecision } from '../media-item';
import { reduceApp, type AppEvent, type AppState } from '../app-reducer';
import { createStore, type Store } from '../store';
import { beforeDecision, decide, type Decision, decisionsInForce } from './decide';
import { hasUnrecordedDecisions, startRecordingDecisions } from './record-decisions';
import { NO_ITEM_EDITS } from '../edit-history';
import type { UncertainObject } from './uncertain-object';

const BOX = { x1: 100, y1: 100, x2: 140, y2: 150 };
const BBOX = [100, 100, 140, 150];
const FACE = { type_label: 'face', bbox: BBOX };

const uncertain = (target: UncertainObject['target'], more: Partial<UncertainObject>): UncertainObject => ({
  ...{ fileId: 'a', uncertainty: 1, objectClass: 'face', score: 0.5, box: BOX, reason: 'weak-track' },
  ...{ key: JSON.stringify(target), target },
  ...more,
});
const OBJECT = uncertain({ kind: 'object', id: 0 }, { reason: 'above-threshold' });
const TRACK = uncertain({ kind: 'track', id: 0 }, { atS: 0.5 });
const PLACE = uncertain(
  { kind: 'place', drawn: { at: 0.04, bbox: [100, 100, 140, 150] } },
  { reason: 'abrupt-end', atS: 0.04 },
);

const IMAGE = resultWith('image', [{ objectClass: 'face', score: 0.55, box: BOX }]);
const VIDEO = videoResultWith('video', [{ firstS: 0, lastS: 1, bestS: 0, frames: 9 }]);

const createRecorder = (result: MediaResult) => {
  const store: Store<AppState, AppEvent> = createStore(reduceApp, stateWith({ a: result }));
  const recordDecisions = vi.fn<(result: MediaResult, all: readonly ContractDecision[]) => Promise<void>>(
    async () => undefined,
  );
  startRecordingDecisions(store, { recordDecisions });
  const item = (): MediaItem => store.get().items[0]!;
  return {
    store,
    recordDecisions,
    item,
    decide: (object: UncertainObject, decision: Decision) =>
      store.send({ type: 'decided', id: 'a', after: decide(item(), object, decision) }),
    /** The lists that were recorded. */
    recorded: () => recordDecisions.mock.calls.map(([, all]) => all),
  };
};
type Recording = ReturnType<typeof createRecorder>;
const settled = ({ recordDecisions }: Recording, calls: number): Promise<void> =>
  vi.waitFor(() => expect(recordDecisions).toHaveBeenCalledTimes(calls));

describe('a decision of the list', () => {
  it.each([
    ['an object of an image', IMAGE, OBJECT, { ...FACE, id: 0 }],
    ['a track of a video', VIDEO, TRACK, { ...FACE, id: 0, time: 0.5 }],
    ['a place in a video', VIDEO, PLACE, { ...FACE, time: 0.04 }],
  ] as const)('about %s is recorded at once, whatever it is', async (_, result, object, expected) => {
    for (const [decision, word] of [
      ['hide', 'hidden'],
      ['show', 'visible'],
    ] as const) {
      const recording = createRecorder(result);
      recording.decide(object, decision);
      await settled(recording, 1);
      expect(recording.recorded()).toEqual([[{ ...expected, decision: word }]]);
      expect(recording.recordDecisions.mock.calls[0]![0].taskId).toBe(result.taskId);
    }
  });

  it('is recorded although the edits of its file wait for further ones', async () => {
    const recording = createRecorder(VIDEO);
    recording.decide(TRACK, 'show');
    expect(recording.store.get().held.has('a')).toBe(true);
    await settled(recording, 1);
  });

  it('replaces an earlier one about the same, and is removed where it is taken back', async () => {
    const recording = createRecorder(VIDEO);
    const before = beforeDecision(recording.item());
    recording.decide(PLACE, 'show');
    await settled(recording, 1);
    recording.decide(PLACE, 'hide');
    await settled(recording, 2);
    recording.store.send({ type: 'decided', id: 'a', after: before });
    await settled(recording, 3);
    expect(recording.recorded().map((all) => all.map(({ decision }) => decision))).toEqual([
      ['visible'],
      ['hidden'],
      [],
    ]);
  });

  it('is sent once, with those that were made during the request', async () => {
    const recording = createRecorder(VIDEO);
    let answer = (): void => undefined;
    recording.recordDecisions.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    recording.decide(PLACE, 'show');
    recording.decide(TRACK, 'hide');
    expect(recording.recorded()).toHaveLength(1);
    answer();
    await settled(recording, 2);
    recording.store.send({ type: 'decisions-ended', ids: new Set(['a']) });
    expect(recording.recorded().map((all) => all.length)).toEqual([1, 2]);
  });

  it('that could not be recorded is reported, and sent again with the next one or on request', async () => {
    const recording = createRecorder(VIDEO);
    const refuse = () => recording.recordDecisions.mockRejectedValueOnce(new Error('no room'));
    refuse();
    recording.decide(PLACE, 'show');
    await vi.waitFor(() => expect(hasUnrecordedDecisions(recording.item())).toBe(true));
    expect(recording.recorded()).toHaveLength(1);
    refuse();
    recording.decide(TRACK, 'hide');
    await settled(recording, 2);
    await vi.waitFor(() => expect(hasUnrecordedDecisions(recording.item())).toBe(true));
    recording.store.send({ type: 'decisions-retried', id: 'a' });
    await settled(recording, 3);
    await vi.waitFor(() => expect(hasUnrecordedDecisions(recording.item())).toBe(false));
    expect(recording.recorded()[2]).toHaveLength(2);
  });

  it('about an earlier result is not recorded for the result of a new detection', async () => {
    const recording = createRecorder(VIDEO);
    recording.decide(PLACE, 'show');
    await settled(recording, 1);
    recording.store.send({ type: 'retried-some', ids: new Set(['a']) });
    recording.store.send({ type: 'started', id: 'a' });
    recording.store.send({ type: 'finished', id: 'a', result: { ...VIDEO, taskId: 'new' } });
    expect(recording.recorded()).toHaveLength(1);
  });
});

describe('a decision whose edit an editor has undone', () => {
  it('is not in force any more', () => {
    const image = createRecorder(IMAGE);
    image.decide(OBJECT, 'show');
    image.store.send({ type: 'edited', id: 'a', edit: { type: 'undone' } });
    expect(decisionsInForce(image.item())).toEqual([]);
    const video = createRecorder(VIDEO);
    video.decide(TRACK, 'show');
    video.decide(PLACE, 'hide');
    expect(decisionsInForce(video.item())).toHaveLength(2);
    const edit = { type: 'replaced', edits: NO_ITEM_EDITS } as const;
    video.store.send({ type: 'edited', id: 'a', edit });
    expect(decisionsInForce(video.item())).toEqual([]);
  });
});
