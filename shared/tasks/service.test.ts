import { imageHeader } from '../testing/sniffed-files';
import { expect, test } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import type { Engine } from '../ports/host-engine';
import { createFakeEngine, type DuringWork } from '../testing/fake-engine';
import { createFakeLog, createFakeSystem } from '../testing/fake-system';
import { testSettings } from '../testing/in-process-host';
import { createMemoryStorage, receivedInMemory, type MemoryStorage } from '../testing/memory-storage';
import { createMemoryTaskStore } from '../testing/memory-task-store';
import { RAMP_JPEG } from '../testing/ramp-images';
import type { Submission } from './accept/accept-upload';
import { createTaskService } from './service';
import type { ServiceSettings } from './base/settings';
import type { Task } from '../domain/task';
import { defaultImageOptions } from '../domain/options';

const OPTIONS: Submission['options'] = defaultImageOptions({ classes: ['face'] });

const never = new AbortController().signal;

const setUp = (engine: Engine = createFakeEngine(), changes: Partial<ServiceSettings> = {}) => {
  const storage: MemoryStorage = createMemoryStorage();
  const ports = {
    engine,
    storage,
    taskStore: createMemoryTaskStore(),
    system: createFakeSystem(),
    log: createFakeLog(),
  };
  const settings = testSettings(changes);
  const service = createTaskService(ports, settings);
  const submit = (filename = 'a.jpg') =>
    service.submit({
      file: receivedInMemory(RAMP_JPEG, storage),
      filename,
      format: 'jpeg',
      header: imageHeader(),
      options: OPTIONS,
      video: videoOptions(),
      webhook: null,
      isAwaited: true,
    });
  return { ...ports, settings, service, submit };
};

/** Work that runs until it is released. */
const held = () => {
  const waiting: (() => void)[] = [];
  const during: DuringWork = () => new Promise((resolve) => waiting.push(resolve));
  return { during, waiting, letGo: () => waiting.shift()?.() };
};

test('a done task has every file that a result can be asked for', async () => {
  const { submit, storage, service } = setUp();
  const { task, outcome } = await submit();
  expect(await outcome).toEqual({ kind: 'done' });
  expect(storage.keys().map((key) => key.replace(task.id, 'ID'))).toEqual([
    'input/ID/source.jpg',
    'output/ID/anonymised.jpg',
    'output/ID/binary-mask.png',
    'output/ID/instance-mask.png',
    'output/ID/plan.json',
    'output/ID/result.json',
  ]);
  expect((await service.load()).isBusy).toBe(false);
});

test('a fault of ours fails the task with a plain sentence, is logged, and leaves no file', async () => {
  const fault = new Error('secret: /home/someone/models is gone');
  const { submit, storage, service, log } = setUp(createFakeEngine(() => Promise.reject(fault)));
  const { task, outcome } = await submit();
  const failure = {
    kind: 'fault',
    sentence: 'Something went wrong inside the service while it processed the file.',
  };
  expect(await outcome).toEqual({ kind: 'failed', failure });
  expect(await service.get(task.id)).toMatchObject({ status: 'failed', failure });
  expect(log.causes).toEqual([fault]);
  expect(storage.keys()).toEqual([]);
});

test('an image that turns out to be unreadable fails with its sentence, even across a worker border', async () => {
  const crossed = Object.assign(new Error('The image is damaged.'), { name: 'UnreadableFile' });
  const { submit, service, log } = setUp(createFakeEngine(() => Promise.reject(crossed)));
  const { task, outcome } = await submit();
  const failure = { kind: 'bad-file', sentence: 'The image is damaged.' };
  expect(await outcome).toEqual({ kind: 'failed', failure });
  expect((await service.get(task.id))?.failure).toEqual(failure);
  expect(log.causes).toEqual([]);
});

test.each(['done', 'failed'])('a client that reads that a task is %s can send the next file', async (end) => {
  const engine = createFakeEngine();
  const failing = { ...engine, anonymiseImage: () => Promise.reject(new Error('no')) };
  const { service, storage, taskStore, submit } = setUp(end === 'done' ? engine : failing);
  const ended: boolean[] = [];
  const { task, outcome } = await submit();
  const look = async () => {
    if ((await service.get(task.id))?.status === end) ended.push(!(await service.load()).isBusy);
  };
  const { remove } = storage;
  const { put, setFilesInDoubt } = taskStore;
  Object.assign(storage, {
    remove: async (prefix: string) => {
      await look();
      try {
        await remove(prefix);
      } finally {
        await look();
      }
    },
  });
  Object.assign(taskStore, {
    put: async (record: Task) => {
      try {
        await put(record);
      } finally {
        await look();
      }
    },
    setFilesInDoubt: (id: string, inDoubt: boolean) => look().then(() => setFilesInDoubt(id, inDoubt)),
  });
  await outcome;
  await look();
  expect(new Set(ended)).toEqual(new Set([true]));
});

test('tasks behind one that failed are run', async () => {
  let calls = 0;
  const { submit } = setUp(
    createFakeEngine(async () => {
      calls += 1;
      if (calls === 1) throw new Error('once');
    }),
  );
  const [first, second] = [await submit(), await submit()];
  expect(await first.outcome).toMatchObject({ failure: { kind: 'fault' } });
  expect((await second.outcome).kind).toBe('done');
});

test('a result that cannot be written whole is not there at all', async () => {
  const { submit, storage, service } = setUp();
  const { write } = storage;
  Object.assign(storage, {
    write: (key: string, bytes: Uint8Array) =>
      key.endsWith('plan.json') ? Promise.reject(new Error('disk full')) : write(key, bytes),
  });
  const { task, outcome } = await submit();
  expect(await outcome).toMatchObject({ failure: { kind: 'fault' } });
  expect(storage.keys()).toEqual([]);
  expect(await service.result(task.id)).toBeUndefined();
});

test('deleting a task that runs aborts it at once', async () => {
  let aborted = false;
  const { submit, service, storage } = setUp(
    createFakeEngine((_job, signal) => {
      signal.addEventListener('abort', () => (aborted = true), { once: true });
      return new Promise(() => undefined);
    }),
  );
  const { task, outcome } = await submit();
  await expect.poll(async () => (await service.get(task.id))?.status).toBe('processing');
  expect(await service.delete(task.id, 'task-and-files')).toBe(true);
  expect(aborted).toBe(true);
  expect(await outcome).toEqual({ kind: 'deleted' });
  expect(await service.get(task.id)).toBeUndefined();
  expect(storage.keys()).toEqual([]);
  expect((await service.load()).isBusy).toBe(false);
});

test('an engine that finishes in spite of its abortion brings nothing back', async () => {
  const { during, letGo, waiting } = held();
  const engine = createFakeEngine(during);
  const deaf: Engine = {
    ...engine,
    anonymiseImage: (job, onProgress) => engine.anonymiseImage(job, onProgress, new AbortController().signal),
  };
  const { submit, service, storage } = setUp(deaf);
  const { task, outcome } = await submit();
  await expect.poll(() => waiting.length).toBe(1);
  await service.delete(task.id, 'only-files');
  letGo();
  expect(await outcome).toEqual({ kind: 'deleted' });
  expect((await service.get(task.id))?.status).toBe('deleted');
  expect(storage.keys()).toEqual([]);
});

test('a task that was deleted keeps no synchronous upload out, though its last step still runs', async () => {
  const { during, letGo, waiting } = held();
  const engine = createFakeEngine(during);
  const deaf: Engine = {
    ...engine,
    anonymiseImage: (job, onProgress) => engine.anonymiseImage(job, onProgress, new AbortController().signal),
  };
  const { submit, service } = setUp(deaf);
  const { task, outcome } = await submit();
  await expect.poll(() => waiting.length).toBe(1);
  expect((await service.load()).isBusy).toBe(true);
  await service.delete(task.id, 'task-and-files');
  expect((await service.load()).isBusy).toBe(false);
  letGo();
  await outcome;
});

test('a task deleted while it waits is never begun', async () => {
  const { during, letGo, waiting } = held();
  const { submit, service } = setUp(createFakeEngine(during));
  const [running, queued] = [await submit(), await submit()];
  await expect.poll(() => waiting.length).toBe(1);
  await service.delete(queued.task.id, 'task-and-files');
  letGo();
  expect((await running.outcome).kind).toBe('done');
  expect((await queued.outcome).kind).toBe('deleted');
  expect(waiting).toEqual([]);
});

test('as many tasks run at once as the settings say', async () => {
  const { during, letGo, waiting } = held();
  const { submit } = setUp(createFakeEngine(during), { concurrency: 2 });
  const tasks = [await submit(), await submit(), await submit()];
  await expect.poll(() => waiting.length).toBe(2);
  letGo();
  await expect.poll(() => waiting.length).toBe(2);
  letGo();
  letGo();
  for (const { outcome } of tasks) expect((await outcome).kind).toBe('done');
});

test('an upload whose record cannot be kept leaves no file and does not count as work', async () => {
  const { submit, service, storage, taskStore } = setUp();
  Object.assign(taskStore, { put: () => Promise.reject(new Error('disk full')) });
  await expect(submit()).rejects.toThrow('disk full');
  expect(storage.keys()).toEqual([]);
  expect((await service.load()).isBusy).toBe(false);
});

test('progress is seen while a task runs, and costs no write', async () => {
  const { during, letGo } = held();
  const { submit, service, taskStore } = setUp(createFakeEngine(during));
  const { task, outcome } = await submit();
  await expect.poll(async () => (await service.get(task.id))?.progress).toBe(0.5);
  expect((await taskStore.get(task.id))?.progress).toBe(0);
  expect((await service.list())[0]?.progress).toBe(0.5);
  letGo();
  await outcome;
  expect((await taskStore.get(task.id))?.progress).toBe(1);
});

test('the stored result is served as it is, and anything else is rendered from source and plan', async () => {
  const rendered: unknown[] = [];
  const engine: Engine = {
    ...createFakeEngine(),
    renderImage: async ({ source, plan, encoding, header }) => {
      rendered.push([source.sizeBytes, plan.width, encoding, header.width]);
      return new Uint8Array([1]);
    },
    renderMask: async (_plan, kind, scale) => {
      rendered.push([kind, scale]);
      return new Uint8Array([2]);
    },
  };
  const { submit, service } = setUp(engine);
  const { task, outcome } = await submit();
  await outcome;
  const result = (await service.result(task.id))!;
  const stored = await service.anonymised(task.id, result, { format: 'jpeg', quality: 90 }, never);
  expect(stored).toMatchObject({ sizeBytes: RAMP_JPEG.length });
  await service.mask(task.id, result, { kind: 'binary', scalePercent: 100 }, never);
  expect(rendered).toEqual([]);
  const png = { format: 'png', compressLevel: 5 } as const;
  expect(await service.anonymised(task.id, result, png, never)).toEqual(new Uint8Array([1]));
  expect(await service.mask(task.id, result, { kind: 'instance', scalePercent: 25 }, never)).toEqual(
    new Uint8Array([2]),
  );
  expect(rendered).toEqual([
    [RAMP_JPEG.length, 48, { format: 'png', compressLevel: 5 }, 48],
    ['instance', 25],
  ]);
});

test('a host that renders masks writes none, and has them all the same', async () => {
  const { submit, service, storage } = setUp(undefined, { maskFiles: 'rendered' });
  const { task, outcome } = await submit();
  await outcome;
  expect(await storage.read(`output/${task.id}/binary-mask.png`)).toBeUndefined();
  const result = (await service.result(task.id))!;
  expect(result.masks).toEqual(['binary', 'instance']);
  expect(await service.mask(task.id, result, { kind: 'binary', scalePercent: 100 }, never)).toBeInstanceOf(
    Uint8Array,
  );
});
