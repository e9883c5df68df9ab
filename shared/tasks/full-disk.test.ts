import { expect, test } from 'vitest';
import { createFakeEngine } from '../testing/fake-engine';
import { createDisk, forever, startHost, statusOf } from '../testing/task-host';
import { StorageUnavailable } from './base/service-unavailable';

const REFUSAL = new StorageUnavailable('full', new Error('ENOSPC'));

/** A disk that is full on request, until files are removed from it. */
const createFillableDisk = () => {
  const disk = createDisk();
  const { storage, taskStore } = disk;
  let isFull = false;
  const unlessFull =
    <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
    (...args: Args): Promise<void> =>
      isFull ? Promise.reject(REFUSAL) : work(...args);
  const { remove } = storage;
  Object.assign(storage, {
    remove: async (prefix: string) => {
      await remove(prefix);
      isFull = false;
    },
  });
  Object.assign(taskStore, {
    put: unlessFull(taskStore.put),
    update: unlessFull(taskStore.update),
    remove: unlessFull(taskStore.remove),
    setFilesInDoubt: unlessFull(taskStore.setFilesInDoubt),
  });
  return { ...disk, fill: () => (isFull = true) };
};

test('a result that the full disk does not take fails with a sentence that says so', async () => {
  const disk = createDisk();
  const { write } = disk.storage;
  Object.assign(disk.storage, {
    write: (key: string, bytes: Uint8Array) =>
      key.endsWith('plan.json') ? Promise.reject(REFUSAL) : write(key, bytes),
  });
  const { service, submit } = startHost(disk);
  const { task, outcome } = await submit();
  const sentence =
    'The service has no disk space left: delete tasks that are no longer needed, then try again.';
  const failure = { kind: 'no-storage', sentence };
  expect(await outcome).toEqual({ kind: 'failed', failure });
  expect(await service.get(task.id)).toMatchObject({ status: 'failed', failure });
  expect(disk.storage.keys()).toEqual([]);
});

test('an upload that the full disk does not take is refused and leaves nothing', async () => {
  const disk = createFillableDisk();
  const { service, submit } = startHost(disk);
  disk.fill();
  await expect(submit()).rejects.toBe(REFUSAL);
  expect((await service.load()).isBusy).toBe(false);
  expect(await service.list()).toEqual([]);
  expect(disk.storage.keys()).toEqual([]);
});

test('a task whose end the full disk does not take has failed, and says so on its record', async () => {
  const disk = createFillableDisk();
  const { write } = disk.storage;
  Object.assign(disk.storage, {
    write: async (key: string, bytes: Uint8Array) => {
      await write(key, bytes);
      if (key.endsWith('result.json')) disk.fill();
    },
  });
  const { service, submit } = startHost(disk);
  const { task, outcome } = await submit();
  expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind: 'no-storage' } });
  expect(await statusOf(service, task.id)).toBe('failed');
  expect((await disk.taskStore.get(task.id))?.status).toBe('failed');
  expect(disk.storage.keys()).toEqual([]);
});

test.each(['task-and-files', 'only-files'] as const)(
  'a full disk lets tasks be deleted: %s',
  async (scope) => {
    const disk = createFillableDisk();
    const { service, submit } = startHost(
      disk,
      createFakeEngine(({ options }) => (options.score ? forever() : Promise.resolve())),
    );
    const done = await submit();
    await done.outcome;
    const running = await submit({ score: true });
    const queued = await submit();
    for (const { task } of [done, queued, running]) {
      disk.fill();
      expect(await service.delete(task.id, scope)).toBe(true);
      expect((await disk.taskStore.get(task.id))?.status ?? 'gone').toMatch(/deleted|gone/);
    }
    await Promise.all([queued.outcome, running.outcome]);
    expect(disk.storage.keys()).toEqual([]);
    expect(await disk.taskStore.listFilesInDoubt()).toEqual([]);
  },
);
