import { describe, expect, it, vi } from 'vitest';
import { addFiles } from './add-files';
import { hasUnappliedEdits, type MediaItem, type MediaResult, type VideoFacts } from './media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from './app-reducer';
import { isSavable } from './save';
import { defaultSettings } from './settings';
import { createStore, type Store } from './store';
import { NO_ITEM_EDITS, type ItemEdits } from './edit-history';
import { withDrawn, withTrack } from './video-edits';
import { ProcessingFailed, startWork, type Anonymiser } from './work';

interface Job {
  readonly name: string;
  readonly signal: AbortSignal;
  finish(): void;
  fail(cause: unknown): void;
}

const VIDEO: VideoFacts = {
  frameCount: 9,
  framesLost: 0,
  isLossUncertain: false,
  audioTracksReencoded: 0,
  audioTracksDropped: 0,
  appliedEdits: NO_ITEM_EDITS,
  followed: [],
};
const resultOf = (taskId: string, name: string): MediaResult => ({
  ...{ taskId, width: 1, height: 1, objects: [], durationS: 0, hasImage: true },
  ...(name.endsWith('.mp4') ? { video: VIDEO } : {}),
});

/** An anonymiser whose jobs end when the test requests it. */
const createWorkshop = () => {
  const jobs: Job[] = [];
  const forgotten: string[] = [];
  const applied: ItemEdits[] = [];
  const anonymiser: Anonymiser = {
    process: (file, _settings, _onProgress, signal) =>
      new Promise<MediaResult>((resolve, reject) => {
        const taskId = `task-${jobs.length + 1}`;
        const result = resultOf(taskId, file.name);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        jobs.push({ name: file.name, signal, finish: () => resolve(result), fail: reject });
      }),
    editVideo: (result, appliedEdits, _onProgress, signal) =>
      new Promise((resolve, reject) => {
        applied.push(appliedEdits);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        const changed = { ...result, video: { ...VIDEO, appliedEdits } };
        jobs.push({ name: 'revision', signal, finish: () => resolve(changed), fail: reject });
      }),
    file: async () => new Blob(),
    masks: async () => [],
    report: async () => new Blob(),
    log: async () => ({ csv: new Blob(), page: new Blob() }),
    release: async () => undefined,
    detections: async () => [],
    metadata: async () => new Blob(),
    forget: async (taskId) => {
      forgotten.push(taskId);
    },
  };
  const store: Store<AppState, AppEvent> = createStore(reduceApp, emptyState(defaultSettings()));
  startWork(store, anonymiser);
  const add = (...names: readonly string[]): void =>
    void addFiles(
      store,
      names.map((name) => new File([], name, { type: 'image/jpeg' })),
    );
  const statuses = (): readonly string[] => store.get().items.map(({ status }) => status);
  const names = (): readonly string[] => jobs.map(({ name }) => name);
  return { store, jobs, forgotten, applied, add, statuses, names };
};

it('files are processed one after another', async () => {
  const { add, jobs, names, statuses } = createWorkshop();
  add('a', 'b');
  expect(names()).toEqual(['a']);
  jobs[0]?.finish();
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  jobs[1]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['done', 'done']));
});

it('a failed file does not stop the others', async () => {
  const { add, jobs, names, store } = createWorkshop();
  add('a', 'b');
  jobs[0]?.fail(new ProcessingFailed('The file is empty.'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  expect(store.get().items[0]).toMatchObject({ status: 'failed', error: 'The file is empty.' });
});

it('an internal error is not shown to the user', async () => {
  const { add, jobs, store } = createWorkshop();
  add('a');
  jobs[0]?.fail(new TypeError('undefined is not a function'));
  await vi.waitFor(() => expect(store.get().items[0]).toMatchObject({ status: 'failed', error: null }));
});

it('processing stops when its file is removed', async () => {
  const { add, jobs, names, store } = createWorkshop();
  add('a', 'b');
  store.send({ type: 'removed', id: store.get().items[0]!.id });
  expect(jobs[0]?.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
});

it('the tasks of removed files and replaced results are deleted', async () => {
  const { add, jobs, forgotten, store, statuses } = createWorkshop();
  add('a');
  jobs[0]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['done']));
  store.send({ type: 'settings-changed', settings: { ...defaultSettings(), method: 'blacken' } });
  store.send({ type: 'applied' });
  await vi.waitFor(() => expect(jobs).toHaveLength(2));
  expect(forgotten).toEqual([]);
  jobs[1]?.finish();
  await vi.waitFor(() => expect(forgotten).toEqual(['task-1']));
  store.send({ type: 'cleared' });
  expect(forgotten).toEqual(['task-1', 'task-2']);
});

it('while processing is paused, the current file is finished and no other is started', async () => {
  const { add, jobs, names, store, statuses } = createWorkshop();
  add('a', 'b');
  store.send({ type: 'paused', isPaused: true });
  jobs[0]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['done', 'waiting']));
  expect(names()).toEqual(['a']);
  store.send({ type: 'paused', isPaused: false });
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
});

it('"retry failed" processes all failed files again, and no others', async () => {
  const { add, jobs, names, store, statuses } = createWorkshop();
  add('a', 'b');
  jobs[0]?.fail(new TypeError('no memory'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  jobs[1]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['failed', 'done']));
  store.send({ type: 'retried-failed' });
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'a']));
});

describe('edits of a video', () => {
  const HIDDEN_BOX = { at: 0.04, bbox: [1, 2, 30, 40] } as const;
  const startDone = async () => {
    const workshop = createWorkshop();
    const { add, jobs, store, statuses } = workshop;
    add('a.mp4');
    jobs[0]?.finish();
    await vi.waitFor(() => expect(statuses()).toEqual(['done']));
    const video = (): MediaItem => store.get().items[0]!;
    const edit = (edits: ItemEdits): void =>
      store.send({ type: 'edited', id: video().id, edit: { type: 'replaced', edits } });
    return { ...workshop, video, edit };
  };

  it('are applied without a new detection run, and the result cannot be saved before', async () => {
    const { store, jobs, names, applied, forgotten, video, edit } = await startDone();
    edit(withTrack(video().edits.present, 3, false));
    expect([hasUnappliedEdits(video()), isSavable(video())]).toEqual([true, false]);
    store.send({ type: 'applied' });
    expect(names()).toEqual(['a.mp4', 'revision']);
    expect(applied).toEqual([{ ...NO_ITEM_EDITS, objects: [{ id: 3, hidden: false }] }]);
    jobs[1]?.finish();
    await vi.waitFor(() => expect(video().status).toBe('done'));
    expect([hasUnappliedEdits(video()), isSavable(video())]).toEqual([false, true]);
    edit(withTrack(video().edits.present, 3, true));
    expect(isSavable(video())).toBe(false);
    expect(forgotten).toEqual([]);
  });

  it('that fail or are stopped leave the result unchanged, and can be applied again', async () => {
    const { store, jobs, forgotten, video, edit } = await startDone();
    const { result } = video();
    edit(withDrawn(video().edits.present, HIDDEN_BOX));
    store.send({ type: 'applied' });
    jobs[1]?.fail(new ProcessingFailed('The audio cannot be muted.'));
    const reason = { status: 'done', revision: 'failed', error: 'The audio cannot be muted.' };
    await vi.waitFor(() => expect(video()).toMatchObject(reason));
    store.send({ type: 'applied' });
    await vi.waitFor(() => expect(jobs).toHaveLength(3));
    store.send({ type: 'stopped', id: video().id, error: 'You stopped it.' });
    expect(jobs[2]?.signal.aborted).toBe(true);
    expect(video()).toMatchObject({ status: 'done', revision: 'none', error: null });
    expect(video().result).toBe(result);
    expect([hasUnappliedEdits(video()), forgotten]).toEqual([true, []]);
  });

  it('after a new detection run: drawn boxes are hidden, and tracks are hidden again', async () => {
    const { store, jobs, names, applied, video, edit } = await startDone();
    edit(withDrawn(withTrack(video().edits.present, 3, false), HIDDEN_BOX));
    store.send({ type: 'settings-changed', settings: { ...defaultSettings(), method: 'blacken' } });
    store.send({ type: 'applied' });
    expect(names()).toEqual(['a.mp4', 'a.mp4']);
    jobs[1]?.finish();
    await vi.waitFor(() => expect(names()).toEqual(['a.mp4', 'a.mp4', 'revision']));
    expect(video().status).toBe('processing');
    jobs[2]?.finish();
    await vi.waitFor(() => expect(video().status).toBe('done'));
    expect(applied).toEqual([withDrawn(NO_ITEM_EDITS, HIDDEN_BOX)]);
    expect(hasUnappliedEdits(video())).toBe(false);
  });

  it('that mute parts are applied to the result of a new detection run, also without drawn boxes', async () => {
    const { store, jobs, names, applied, video, edit } = await startDone();
    const mute = [[1, 2]] as const;
    edit({ ...video().edits.present, mute });
    store.send({ type: 'settings-changed', settings: { ...defaultSettings(), method: 'blacken' } });
    store.send({ type: 'applied' });
    jobs[1]?.finish();
    await vi.waitFor(() => expect(names()).toEqual(['a.mp4', 'a.mp4', 'revision']));
    expect(applied).toEqual([{ ...NO_ITEM_EDITS, mute }]);
    jobs[2]?.finish();
    await vi.waitFor(() => expect(video().status).toBe('done'));
    expect(hasUnappliedEdits(video())).toBe(false);
  });

  it('that are missing in a new result prevent saving it', async () => {
    const { store, jobs, video, edit } = await startDone();
    edit(withDrawn(video().edits.present, HIDDEN_BOX));
    store.send({ type: 'settings-changed', settings: { ...defaultSettings(), method: 'blacken' } });
    store.send({ type: 'applied' });
    jobs[1]?.finish();
    await vi.waitFor(() => expect(jobs).toHaveLength(3));
    jobs[2]?.fail(new Error('no memory'));
    await vi.waitFor(() => expect(video().status).toBe('done'));
    expect([hasUnappliedEdits(video()), isSavable(video())]).toEqual([true, false]);
  });
});
