import { expect, it, vi } from 'vitest';
import { addFiles } from './intake';
import { emptyState, reduceApp, type AppEvent, type AppState, type PictureResult } from './pictures';
import { defaultSettings } from './settings';
import { createStore, type Store } from './store';
import { PictureFailed, startWork, type Anonymiser } from './work';

interface Job {
  readonly name: string;
  readonly signal: AbortSignal;
  finish(): void;
  fail(cause: unknown): void;
}

/** An anonymiser whose jobs end when the test says so. */
const createWorkshop = () => {
  const jobs: Job[] = [];
  const forgotten: string[] = [];
  const anonymiser: Anonymiser = {
    process: (file, _settings, _onProgress, signal) =>
      new Promise<PictureResult>((resolve, reject) => {
        const taskId = `task-${jobs.length + 1}`;
        const result = { taskId, width: 1, height: 1, objects: [], durationS: 0, hasPicture: true };
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        jobs.push({ name: file.name, signal, finish: () => resolve(result), fail: reject });
      }),
    file: async () => new Blob(),
    forget: async (taskId) => {
      forgotten.push(taskId);
    },
  };
  const store: Store<AppState, AppEvent> = createStore(reduceApp, emptyState(defaultSettings()));
  startWork(store, anonymiser);
  const add = (...names: readonly string[]): void =>
    addFiles(
      store,
      names.map((name) => new File([], name)),
    );
  const statuses = (): readonly string[] => store.get().pictures.map(({ status }) => status);
  const names = (): readonly string[] => jobs.map(({ name }) => name);
  return { store, jobs, forgotten, add, statuses, names };
};

it('pictures are processed one after another', async () => {
  const { add, jobs, names, statuses } = createWorkshop();
  add('a', 'b');
  expect(names()).toEqual(['a']);
  jobs[0]?.finish();
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  jobs[1]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['done', 'done']));
});

it('a picture that fails does not stop the others', async () => {
  const { add, jobs, names, store } = createWorkshop();
  add('a', 'b');
  jobs[0]?.fail(new PictureFailed('The file is empty.'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  expect(store.get().pictures[0]).toMatchObject({ status: 'failed', error: 'The file is empty.' });
});

it('an error that was not meant for the user is not shown', async () => {
  const { add, jobs, store } = createWorkshop();
  add('a');
  jobs[0]?.fail(new TypeError('undefined is not a function'));
  await vi.waitFor(() => expect(store.get().pictures[0]).toMatchObject({ status: 'failed', error: null }));
});

it('a picture that is removed while it is processed is stopped', async () => {
  const { add, jobs, names, store } = createWorkshop();
  add('a', 'b');
  store.send({ type: 'removed', id: store.get().pictures[0]!.id });
  expect(jobs[0]?.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
});

it('the files of a removed picture, and of a result that was replaced, are freed', async () => {
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

it('while work is paused the picture in work is finished, and no other is begun', async () => {
  const { add, jobs, names, store, statuses } = createWorkshop();
  add('a', 'b');
  store.send({ type: 'paused', isPaused: true });
  jobs[0]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['done', 'waiting']));
  expect(names()).toEqual(['a']);
  store.send({ type: 'paused', isPaused: false });
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
});

it('all that failed are tried again, and nothing else', async () => {
  const { add, jobs, names, store, statuses } = createWorkshop();
  add('a', 'b');
  jobs[0]?.fail(new TypeError('no memory'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
  jobs[1]?.finish();
  await vi.waitFor(() => expect(statuses()).toEqual(['failed', 'done']));
  store.send({ type: 'retried-failed' });
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'a']));
});
