import { describe, expect, it, vi } from 'vitest';
import type { TaskStore } from '../../ports/storage';
import { createMemoryTaskStore } from '../../testing/memory-task-store';
import { taskRecord } from '../../testing/task-store-contract';
import { createTaskRecords } from './task-records';

/** A running task, and a store whose writes end on request. */
const slowRecords = async () => {
  const store = createMemoryTaskStore();
  let [resolve, reject] = [(): void => undefined, (_cause: Error): void => undefined];
  const written = new Promise<void>((onDone, onFault) => ([resolve, reject] = [onDone, onFault]));
  let isSlow = false;
  const slow: TaskStore = {
    ...store,
    put: async (task) => {
      if (isSlow) await written;
      await store.put(task);
    },
  };
  const records = createTaskRecords(slow);
  await records.add(taskRecord('a'));
  await records.apply('a', { type: 'started', atMs: 2 });
  isSlow = true;
  const statuses = async () => [
    (await records.get('a'))?.status,
    ...(await records.list()).map(({ status }) => status),
  ];
  return { records, disk: { resolve, reject }, statuses };
};

describe('a task that is done', () => {
  it('is said to be so when that is on record, and not before', async () => {
    const { records, disk, statuses } = await slowRecords();
    const finishing = records.apply('a', { type: 'finished', atMs: 3 });
    await records.apply('a', { type: 'progressed', progress: 1 });
    expect(await statuses()).toEqual(['processing', 'processing']);
    disk.resolve();
    await finishing;
    expect(await statuses()).toEqual(['done', 'done']);
  });

  it('can still fail where that cannot be put on record', async () => {
    const { records, disk, statuses } = await slowRecords();
    const finishing = records.apply('a', { type: 'finished', atMs: 3 });
    disk.reject(new Error('disk full'));
    await expect(finishing).rejects.toThrow('disk full');
    expect(await statuses()).toEqual(['processing', 'processing']);
    void records
      .apply('a', { type: 'failed', atMs: 4, failure: { kind: 'no-storage', sentence: 'no room' } })
      .catch(() => undefined);
    expect(await statuses()).toEqual(['failed', 'failed']);
  });

  it('is deleted where that is asked for meanwhile', async () => {
    const { records, disk, statuses } = await slowRecords();
    const finishing = records.apply('a', { type: 'finished', atMs: 3 });
    const deleting = records.apply('a', { type: 'files-deleted' });
    disk.resolve();
    await Promise.all([finishing, deleting]);
    expect(await statuses()).toEqual(['deleted', 'deleted']);
  });
});

describe('unfinished tasks', () => {
  it('are counted until they have ended or are removed', async () => {
    const records = createTaskRecords(createMemoryTaskStore());
    for (const id of ['a', 'b', 'c']) await records.add(taskRecord(id));
    await records.add(taskRecord('a'));
    expect(records.countUnfinished()).toBe(3);
    await records.apply('a', { type: 'started', atMs: 2 });
    expect(records.countUnfinished()).toBe(3);
    await records.apply('a', { type: 'finished', atMs: 3 });
    expect(records.countUnfinished()).toBe(2);
    await records.remove('b');
    await records.remove('b');
    expect(records.countUnfinished()).toBe(1);
  });

  it('of an earlier run are counted again, and not written again', async () => {
    const store = createMemoryTaskStore();
    await store.put(taskRecord('a'));
    const put = vi.spyOn(store, 'put');
    const records = createTaskRecords(store);
    records.resume(taskRecord('a'));
    expect([records.countUnfinished(), records.isUnfinished('a')]).toEqual([1, true]);
    expect(put).not.toHaveBeenCalled();
  });
});
