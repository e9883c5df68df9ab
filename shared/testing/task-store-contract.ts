import { imageHeader } from './sniffed-files';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskStore } from '../ports/storage';
import { defaultImageOptions } from '../domain/options';
import type { Task } from '../domain/task';
import { allTasks, TASKS_PER_PAGE } from '../tasks/base/task-records';

/** The record of a new task. */
export const taskRecord = (id: string, changes: Partial<Task> = {}): Task => ({
  id,
  status: 'queued',
  progress: 0,
  kind: 'image',
  contentType: 'image/jpeg',
  filename: 'a.jpg',
  header: imageHeader(),
  options: defaultImageOptions({ classes: ['face'], ignores: [{ x: 1, y: 2, width: 3, height: 4 }] }),
  attempts: 0,
  createdAtMs: 1_767_268_800_123,
  startedAtMs: null,
  finishedAtMs: null,
  failure: null,
  webhook: null,
  ...changes,
});

const idsOf = async (store: TaskStore): Promise<string[]> => (await allTasks(store)).map(({ id }) => id);

/** Tests that every task store must pass. */
export const describeTaskStore = (name: string, open: () => Promise<TaskStore>): void => {
  describe(name, () => {
    let store: TaskStore;
    beforeEach(async () => {
      store = await open();
    });

    it('returns a stored record with all fields', async () => {
      const task = taskRecord('one', { filename: 'Zürich "1"\u2028🙂.jpg', progress: 0.25 });
      await store.put(task);
      expect(await store.get('one')).toEqual(task);
      expect(await allTasks(store)).toEqual([task]);
    });

    it('returns undefined for an unknown task', async () => {
      expect(await store.get('nobody')).toBeUndefined();
      expect(await allTasks(store)).toEqual([]);
    });

    it('lists the newest task first, and keeps the place of a changed one', async () => {
      for (const id of ['b', 'c', 'a']) await store.put(taskRecord(id));
      await store.put(taskRecord('b', { status: 'done' }));
      await store.update('c', (task) => ({ ...task, status: 'failed' }));
      expect((await allTasks(store)).map(({ id, status }) => `${id} ${status}`)).toEqual([
        'a queued',
        'c failed',
        'b done',
      ]);
    });

    it('gives every task once over all pages, although tasks are added and removed meanwhile', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await store.put(taskRecord(id));
      const ids: string[] = [];
      let before: string | undefined;
      do {
        const page = await store.page(2, before);
        ids.push(...(page?.tasks ?? []).map(({ id }) => id));
        before = page?.next;
        if (ids.length === 2) await Promise.all([store.remove('d'), store.put(taskRecord('new'))]);
      } while (before !== undefined);
      expect(ids).toEqual(['e', 'd', 'c', 'b', 'a']);
      expect((await store.page(6, undefined))?.next).toBeUndefined();
    });

    it('reads all tasks although they are more than a page', async () => {
      const ids = Array.from({ length: 2 * TASKS_PER_PAGE + 1 }, (_, index) => String(index));
      await Promise.all(ids.map((id) => store.put(taskRecord(id))));
      const read = await idsOf(store);
      expect([read.length, new Set(read)]).toEqual([ids.length, new Set(ids)]);
    });

    it.each([
      [[], false],
      [[taskRecord('one', { status: 'done' })], false],
      [[taskRecord('one', { kind: 'video', status: 'done' })], true],
      [[taskRecord('one', { kind: 'video' }), taskRecord('two')], true],
      [
        (['failed', 'deleted'] as const).map((status) => taskRecord(status, { kind: 'video', status })),
        false,
      ],
    ] as const)('knows whether a video has files: case %#', async (tasks, isHeld) => {
      for (const task of tasks) await store.put(task);
      expect(await store.holdsVideo()).toBe(isHeld);
      for (const { id } of tasks) await store.remove(id);
      expect(await store.holdsVideo()).toBe(false);
    });

    it.each(['', '-1', 'x', '1; DROP TABLE tasks', '9'.repeat(40)])('knows no page %j', async (before) => {
      expect(await store.page(1, before)).toBeUndefined();
    });

    it('removes a task, and no other', async () => {
      await store.put(taskRecord('one'));
      await store.put(taskRecord('two'));
      await store.remove('one');
      await store.remove('never there');
      expect(await store.get('one')).toBeUndefined();
      expect(await idsOf(store)).toEqual(['two']);
    });

    it('updates the current record, and does not restore a removed one', async () => {
      await store.put(taskRecord('one', { progress: 0.5 }));
      await store.update('one', (task) => ({ ...task, progress: task.progress + 0.25 }));
      expect((await store.get('one'))?.progress).toBe(0.75);
      await store.remove('one');
      await store.update('one', (task) => task);
      expect(await idsOf(store)).toEqual([]);
    });

    it('applies calls in the order in which they are made', async () => {
      await Promise.all([
        store.put(taskRecord('kept')),
        store.put(taskRecord('gone')),
        store.update('kept', (task) => ({ ...task, filename: `${task.filename}1` })),
        store.update('kept', (task) => ({ ...task, filename: `${task.filename}2` })),
        store.remove('gone'),
        store.update('gone', (task) => task),
      ]);
      expect(await idsOf(store)).toEqual(['kept']);
      expect((await store.get('kept'))?.filename).toBe('a.jpg12');
    });
  });
};

/** Further tests for task stores of hosts whose files survive a crash. */
export const describeFilesInDoubt = (name: string, open: () => Promise<TaskStore>): void => {
  describe(`${name}: files in doubt`, () => {
    it('are listed for tasks that were marked and not unmarked, with or without a record', async () => {
      const store = await open();
      await store.put(taskRecord('with a record'));
      for (const id of ['with a record', 'without', 'cleared', 'without']) {
        await store.setFilesInDoubt(id, true);
      }
      await store.setFilesInDoubt('cleared', false);
      await store.setFilesInDoubt('never noted', false);
      await store.remove('with a record');
      expect([...(await store.listFilesInDoubt())].sort()).toEqual(['with a record', 'without']);
    });
  });
};
