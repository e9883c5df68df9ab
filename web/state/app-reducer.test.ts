import { describe, expect, it } from 'vitest';
import {
  hasUnappliedEdits,
  isStale,
  needsDetection,
  wantedVideoEdits,
  type MediaItem,
  type MediaResult,
} from './media-item';
import { NO_ITEM_EDITS } from './edit-history';
import { emptyState, nextWaiting, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { defaultSettings, type Settings } from './settings';

const EMPTY = emptyState(defaultSettings());
const RESULT: MediaResult = {
  taskId: 'task-1',
  width: 4,
  height: 2,
  objects: [],
  durationS: 0.1,
  hasImage: true,
};
const file = (name: string): File => new File([], name);
const added = (...ids: readonly string[]): AppEvent => ({
  type: 'added',
  files: ids.map((id) => ({ id, file: file(`${id}.jpg`) })),
});
const after = (...events: readonly AppEvent[]): AppState => events.reduce(reduceApp, EMPTY);
const statuses = ({ items }: AppState): readonly string[] => items.map(({ status }) => status);

const pixelate: AppEvent = {
  type: 'settings-changed',
  settings: { ...EMPTY.settings, method: 'pixelate' },
};

describe('another answer for files that look like panoramas', () => {
  const WIDE = { ...RESULT, width: 4096, height: 2048 };
  const no: AppEvent = { type: 'settings-changed', settings: { ...EMPTY.settings, guessesSpheres: false } };
  const done = (result: MediaResult): AppState =>
    after(added('a'), { type: 'started', id: 'a' }, { type: 'finished', id: 'a', result }, no);

  it('searches these again, and no others', () => {
    expect(statuses(reduceApp(done(WIDE), { type: 'applied' }))).toEqual(['waiting']);
    for (const other of [RESULT, { ...WIDE, projection: 'sphere' as const }]) {
      expect(statuses(reduceApp(done(other), { type: 'applied' }))).toEqual(['done']);
    }
  });
});

describe('the list of files', () => {
  it('selects the first added file, and keeps the selection when more files are added', () => {
    expect(after(added('a', 'b')).selectedId).toBe('a');
    expect(after(added('a'), added('b')).selectedId).toBe('a');
  });

  it('selects the next file when the selected one is removed, or the previous one at the end', () => {
    const remove = (id: string): AppEvent => ({ type: 'removed', id });
    expect(after(added('a', 'b', 'c'), { type: 'selected', id: 'b' }, remove('b')).selectedId).toBe('c');
    expect(after(added('a', 'b'), { type: 'selected', id: 'b' }, remove('b')).selectedId).toBe('a');
    expect(after(added('a'), remove('a')).selectedId).toBeNull();
  });

  it('stops at both ends when the user steps through it', () => {
    const [back, on] = [-1, 1].map((by) => ({ type: 'stepped', by }) as AppEvent);
    expect(after(added('a', 'b'), back!).selectedId).toBe('a');
    expect(after(added('a', 'b'), on!, on!).selectedId).toBe('b');
  });

  it('processes the selected file first', () => {
    expect(nextWaiting(after(added('a', 'b'), { type: 'selected', id: 'b' }))?.id).toBe('b');
    expect(nextWaiting(after(added('a', 'b'), { type: 'started', id: 'a' }))?.id).toBe('b');
  });
});

const VIDEO: MediaResult = {
  ...RESULT,
  video: {
    ...{
      frameCount: 1,
      framesLost: 0,
      isLossUncertain: false,
      audioTracksReencoded: 0,
      audioTracksDropped: 0,
    },
    ...{ appliedEdits: NO_ITEM_EDITS, followed: [] },
  },
};

it('another choice of text makes results of images stale, and none of videos, whose text is not read', () => {
  const settings: Settings = { ...EMPTY.settings, classes: ['face', 'text'] };
  const state = after(
    { type: 'settings-changed', settings },
    added('a'),
    { type: 'added', files: [{ id: 'clip', file: file('clip.mp4') }] },
    { type: 'started', id: 'a' },
    { type: 'finished', id: 'a', result: RESULT },
    { type: 'started', id: 'clip' },
    { type: 'finished', id: 'clip', result: VIDEO },
  );
  for (const choice of [{ textMatch: 'email' }, { textKeep: 'Exit' }]) {
    const changed = { ...settings, ...choice };
    expect(state.items.map((item) => isStale(item, changed))).toEqual([true, false]);
    expect(needsDetection(state.items[1]!, changed)).toBe(false);
  }
});

describe('other audio', () => {
  const mute: AppEvent = { type: 'settings-changed', settings: { ...EMPTY.settings, audio: 'mute' } };
  const clip = { id: 'clip', file: file('clip.mp4') };

  it('processes videos again whose audio cannot be edited, and no images', () => {
    const state = after(
      added('a'),
      { type: 'added', files: [clip] },
      { type: 'started', id: 'a' },
      { type: 'finished', id: 'a', result: RESULT },
      { type: 'started', id: 'clip' },
      { type: 'finished', id: 'clip', result: VIDEO },
      mute,
    );
    expect(state.items.map((item) => isStale(item, state.settings))).toEqual([false, true]);
    expect(statuses(reduceApp(state, { type: 'applied' }))).toEqual(['done', 'waiting']);
  });

  it('of a result whose audio edits can remove and restore needs only a rendering', () => {
    const editable = { ...VIDEO, video: { ...VIDEO.video!, hasAudio: true } };
    const done = after(
      { type: 'added', files: [clip] },
      { type: 'started', id: 'clip' },
      { type: 'finished', id: 'clip', result: editable },
      mute,
    );
    const [item] = done.items as readonly [MediaItem];
    expect([isStale(item, done.settings), needsDetection(item, done.settings)]).toEqual([true, false]);
    const applied = reduceApp(done, { type: 'applied' });
    expect(applied.items[0]).toMatchObject({ status: 'waiting', revision: 'wanted' });
    expect(wantedVideoEdits(applied.items[0]!).audio).toBe('mute');

    const failed = [
      { type: 'started', id: 'clip' },
      { type: 'failed', id: 'clip', error: null },
    ] as const satisfies readonly AppEvent[];
    expect(hasUnappliedEdits(failed.reduce(reduceApp, applied).items[0]!)).toBe(true);

    const appliedEdits = wantedVideoEdits(applied.items[0]!);
    const rendered = [
      { type: 'started', id: 'clip' },
      { type: 'finished', id: 'clip', result: { ...editable, video: { ...editable.video, appliedEdits } } },
    ] as const satisfies readonly AppEvent[];
    const silent = rendered.reduce(reduceApp, applied);
    expect(hasUnappliedEdits(silent.items[0]!)).toBe(false);
    const audible = [
      { type: 'settings-changed', settings: EMPTY.settings },
      { type: 'applied' },
    ] as const satisfies readonly AppEvent[];
    const restored = audible.reduce(reduceApp, silent).items[0]!;
    expect(restored).toMatchObject({ status: 'waiting', revision: 'wanted' });
    expect(wantedVideoEdits(restored).audio).toBeUndefined();
  });

  it('of metadata needs only a rendering, which says what to keep, and can be taken back', () => {
    const editable = { ...VIDEO, video: { ...VIDEO.video!, hasAudio: false } };
    const keeping = { ...EMPTY.settings, keepMetadata: true };
    const done = after(
      { type: 'added', files: [clip] },
      { type: 'started', id: 'clip' },
      { type: 'finished', id: 'clip', result: editable },
    );
    expect(wantedVideoEdits(done.items[0]!)).not.toHaveProperty('keep_metadata');
    const changed = reduceApp(done, { type: 'settings-changed', settings: keeping });
    const [item] = changed.items as readonly [MediaItem];
    expect([isStale(item, keeping), needsDetection(item, keeping)]).toEqual([true, false]);
    const [applied] = reduceApp(changed, { type: 'applied' }).items as readonly [MediaItem];
    expect(applied).toMatchObject({ status: 'waiting', revision: 'wanted' });
    const appliedEdits = wantedVideoEdits(applied);
    expect(appliedEdits.keep_metadata).toBe(true);

    const rendered = {
      ...applied,
      status: 'done',
      result: { ...editable, video: { ...editable.video, appliedEdits } },
    };
    expect(hasUnappliedEdits(rendered as MediaItem)).toBe(false);
    const back = { ...rendered, settings: EMPTY.settings } as MediaItem;
    expect(hasUnappliedEdits(back)).toBe(true);
    expect(wantedVideoEdits(back).keep_metadata).toBe(false);
  });

  it('together with another method needs a new detection', () => {
    const editable = { ...VIDEO, video: { ...VIDEO.video!, hasAudio: true } };
    const settings: Settings = { ...EMPTY.settings, audio: 'mute', method: 'pixelate' as const };
    const state = after(
      { type: 'added', files: [clip] },
      { type: 'started', id: 'clip' },
      { type: 'finished', id: 'clip', result: editable },
      { type: 'settings-changed', settings },
      { type: 'applied' },
    );
    expect(state.items[0]).toMatchObject({ status: 'waiting', revision: 'none' });
  });

  it('restarts a video that is being processed', () => {
    const state = after({ type: 'added', files: [clip] }, { type: 'started', id: 'clip' }, mute);
    expect(statuses(reduceApp(state, { type: 'applied' }))).toEqual(['waiting']);
  });
});

describe('processing', () => {
  it('ends with a result or an error sentence, and one failure does not affect other files', () => {
    const state = after(
      added('a', 'b'),
      { type: 'started', id: 'a' },
      { type: 'failed', id: 'a', error: 'The file is empty.' },
      { type: 'started', id: 'b' },
      { type: 'finished', id: 'b', result: RESULT },
    );
    expect(statuses(state)).toEqual(['failed', 'done']);
    expect(state.items[0]?.error).toBe('The file is empty.');
    expect(state.items[1]?.result).toBe(RESULT);
  });

  it('ignores the late result of a run that was replaced', () => {
    const state = after(added('a'), { type: 'started', id: 'a' }, pixelate, { type: 'applied' });
    expect(statuses(state)).toEqual(['waiting']);
    expect(statuses(reduceApp(state, { type: 'finished', id: 'a', result: RESULT }))).toEqual(['waiting']);
  });
});

describe('applying settings', () => {
  const done = after(
    added('a', 'b'),
    { type: 'started', id: 'a' },
    { type: 'finished', id: 'a', result: RESULT },
  );

  it('processes results of other settings again, and shows the old result until then', () => {
    const changed = reduceApp(done, pixelate);
    expect(changed.items.map((item) => isStale(item, changed.settings))).toEqual([true, false]);
    const applied = reduceApp(changed, { type: 'applied' });
    expect(statuses(applied)).toEqual(['waiting', 'waiting']);
    expect(applied.items[0]?.result).toBe(RESULT);
  });

  it('does not change results that match the settings', () => {
    expect(statuses(reduceApp(done, { type: 'applied' }))).toEqual(['done', 'waiting']);
  });

  it('does not process a failed file again, because other settings cannot repair it', () => {
    const failed = after(
      added('a'),
      { type: 'started', id: 'a' },
      { type: 'failed', id: 'a', error: null },
      pixelate,
    );
    expect(statuses(reduceApp(failed, { type: 'applied' }))).toEqual(['failed']);
    expect(statuses(reduceApp(failed, { type: 'retried', id: 'a' }))).toEqual(['waiting']);
  });
});
