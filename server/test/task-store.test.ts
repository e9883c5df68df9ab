import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '#shared/pipeline/options';
import type { Task } from '#shared/tasks/task';
import { createTaskStore } from '../adapters/task-store';

const task = (id: string, changes: Partial<Task> = {}): Task => ({
  id,
  status: 'queued',
  progress: 0,
  kind: 'image',
  contentType: 'image/jpeg',
  filename: 'a.jpg',
  options: {
    method: 'blur',
    classes: ['face'],
    thresholds: DEFAULT_THRESHOLDS,
    wholeBoxes: false,
    debug: false,
    score: false,
    tiling: { kind: 'whole' },
    ignores: [],
  },
  createdAtMs: 0,
  startedAtMs: null,
  finishedAtMs: null,
  error: null,
  webhook: null,
  ...changes,
});

it('a store lists the newest task first, and a changed one in its old place', async () => {
  const store = createTaskStore();
  await store.put(task('one'));
  await store.put(task('two'));
  await store.put(task('one', { status: 'done' }));
  expect((await store.list()).map(({ id, status }) => `${id} ${status}`)).toEqual(['two queued', 'one done']);
});

it('a store forgets what is removed', async () => {
  const store = createTaskStore();
  await store.put(task('one'));
  await store.remove('one');
  await store.remove('never there');
  expect(await store.get('one')).toBeUndefined();
  expect(await store.list()).toEqual([]);
});
