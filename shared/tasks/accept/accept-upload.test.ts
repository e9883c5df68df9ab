import { imageHeader } from '../../testing/sniffed-files';
import { expect, test } from 'vitest';
import { videoOptions } from '../../catalogue/derive-parameters';
import { createFakeEngine } from '../../testing/fake-engine';
import { createFakeSystem } from '../../testing/fake-system';
import { createMemoryStorage, receivedInMemory } from '../../testing/memory-storage';
import { createDisk, forever, startHost } from '../../testing/task-host';
import { taskRecord } from '../../testing/task-store-contract';
import { type Submission, idempotencyOf, KeyReused } from './accept-upload';

const KEY = 'a key';
const HOUR_MS = 3_600_000;

/** A host whose clock is set by hand. */
const openTimed = () => {
  let nowMs = 0;
  let ids = 0;
  const system = { ...createFakeSystem(), nowMs: () => nowMs, newId: () => `task-${(ids += 1)}` };
  const host = startHost(createDisk(), createFakeEngine(), undefined, { system });
  return { ...host, wait: (ms: number) => (nowMs += ms) };
};

test('a key belongs to its task after a restart, whether the task is running or has ended', async () => {
  const disk = createDisk();
  const before = startHost(disk, createFakeEngine(forever));
  const { task } = await before.submit({}, { idempotencyKey: KEY });
  before.die();

  const { service, submit } = startHost(disk);
  await service.resume();
  expect(await service.isRepeated(KEY)).toBe(true);
  const repeated = await submit({}, { idempotencyKey: KEY });
  expect(repeated.task.id).toBe(task.id);
  expect(await repeated.outcome).toEqual({ kind: 'done' });
  await expect(submit({ method: 'blacken' }, { idempotencyKey: KEY })).rejects.toThrow(KeyReused);

  const later = startHost(disk);
  await later.service.resume();
  expect(await (await later.submit({}, { idempotencyKey: KEY })).outcome).toEqual({ kind: 'done' });
  expect(await later.service.list()).toHaveLength(1);
});

test('a key stands for 24 hours', async () => {
  const { submit, wait } = openTimed();
  const { task } = await submit({}, { idempotencyKey: KEY });
  wait(24 * HOUR_MS - 1);
  expect((await submit({}, { idempotencyKey: KEY })).task.id).toBe(task.id);
  wait(1);
  const { task: next } = await submit({ method: 'blacken' }, { idempotencyKey: KEY });
  expect(next.id).not.toBe(task.id);
  expect((await submit({ method: 'blacken' }, { idempotencyKey: KEY })).task.id).toBe(next.id);
});

test('neither key nor file can be read from a record', async () => {
  const disk = createDisk();
  const { submit } = startHost(disk);
  const { task } = await submit({}, { idempotencyKey: 'hunter2' });
  const stored = await disk.taskStore.get(task.id);
  expect(stored?.idempotency).toEqual({
    key: expect.stringMatching(/^[\da-f]{64}$/),
    request: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(JSON.stringify(stored)).not.toContain('hunter2');
});

test('an upload that cannot be kept leaves its key free', async () => {
  const disk = createDisk();
  const { storage } = disk;
  const write = storage.write.bind(storage);
  Object.assign(storage, { write: () => Promise.reject(new Error('disk full')) });
  const { submit } = startHost(disk);
  await expect(submit({}, { idempotencyKey: KEY })).rejects.toThrow('disk full');
  Object.assign(storage, { write });
  expect(await (await submit({}, { idempotencyKey: KEY })).outcome).toEqual({ kind: 'done' });
});

test('files that differ in one byte, wherever it is, are two requests', async () => {
  const system = createFakeSystem();
  const requestOf = async (bytes: Uint8Array): Promise<string | undefined> => {
    const submission: Submission = {
      file: receivedInMemory(bytes, createMemoryStorage()),
      filename: 'a.jpg',
      format: 'jpeg',
      header: imageHeader(),
      options: taskRecord('any').options,
      video: videoOptions(),
      webhook: null,
      isAwaited: true,
      idempotencyKey: KEY,
    };
    return (await idempotencyOf(submission, system))?.request;
  };
  const bytes = new Uint8Array(2 * 1024 ** 2 + 5);
  const same = await requestOf(bytes);
  expect(await requestOf(bytes)).toBe(same);
  for (const at of [0, 1024 ** 2, bytes.length - 1]) {
    const other = bytes.slice();
    other[at] = 1;
    expect(await requestOf(other)).not.toBe(same);
  }
  expect(await requestOf(bytes.subarray(1))).not.toBe(same);
});
