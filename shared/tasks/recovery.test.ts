import { expect, test } from 'vitest';
import type { Engine } from '../ports/engine';
import { createFakeEngine, type DuringWork } from '../testing/fake-engine';
import { createFakeLog, createFakeSystem } from '../testing/fake-system';
import { testSettings } from '../testing/in-process-host';
import { createMemoryStorage, receivedInMemory } from '../testing/memory-storage';
import { createMemoryTaskStore } from '../testing/memory-task-store';
import { createMortalPorts } from '../testing/mortal-ports';
import { RAMP_JPEG } from '../testing/pictures';
import { taskRecord } from '../testing/task-store-contract';
import type { Submission } from './accept-upload';
import { createTaskService, type TaskService } from './service';
import { StorageUnavailable } from './storage-unavailable';
import type { TaskPorts } from './task-ports';

const { options: OPTIONS } = taskRecord('any');
const forever = (): Promise<void> => new Promise(() => undefined);

/** What outlives a host. */
const createDisk = () => ({ storage: createMemoryStorage(), taskStore: createMemoryTaskStore() });
type Disk = ReturnType<typeof createDisk>;

/** A host on a disk; it goes down when it is told to, or after so many writes. */
const startHost = (disk: Disk, engine: Engine = createFakeEngine(), writes?: number) => {
  const { storage, taskStore, death, die } = createMortalPorts(disk, writes);
  const system = { ...createFakeSystem(), newId: () => crypto.randomUUID() };
  const ports: TaskPorts = { engine, storage, taskStore, system, log: createFakeLog() };
  const service = createTaskService(ports, testSettings());
  const submit = (changes: Partial<Submission['options']> = {}) =>
    service.submit({
      file: receivedInMemory(RAMP_JPEG, storage),
      filename: 'a.jpg',
      format: 'jpeg',
      options: { ...OPTIONS, ...changes },
      webhook: null,
    });
  return { service, submit, death, die };
};

const statusOf = async (service: TaskService, id: string) => (await service.get(id))?.status;
const allEnded = async (service: TaskService): Promise<boolean> =>
  (await service.list()).every(({ status }) => status !== 'queued' && status !== 'processing');

test('after a restart what was queued and what was being processed is run, the older first', async () => {
  const disk = createDisk();
  const before = startHost(disk, createFakeEngine(forever));
  const { task: running } = await before.submit();
  const { task: queued } = await before.submit();
  await expect.poll(() => statusOf(before.service, running.id)).toBe('processing');
  before.die();
  await disk.storage.write(`output/${running.id}/.half.part`, RAMP_JPEG);

  const { service } = startHost(disk);
  await service.resume();
  expect(disk.storage.keys().filter((key) => key.endsWith('.part'))).toEqual([]);
  expect(service.isBusy()).toBe(true);
  await expect.poll(() => allEnded(service)).toBe(true);
  const [second, first] = await service.list();
  expect(first).toMatchObject({ id: running.id, status: 'done' });
  expect(second).toMatchObject({ id: queued.id, status: 'done' });
  expect(first!.finishedAtMs).toBeLessThan(second!.startedAtMs!);
});

test('a file that is there at the third time that the host goes down fails', async () => {
  const disk = createDisk();
  let id = '';
  for (let crash = 1; crash <= 3; crash += 1) {
    const host = startHost(disk, createFakeEngine(forever));
    await host.service.resume();
    if (crash === 1) id = (await host.submit()).task.id;
    await expect.poll(() => statusOf(host.service, id)).toBe('processing');
    host.die();
  }
  const { service } = startHost(disk);
  await service.resume();
  expect(await service.get(id)).toMatchObject({
    status: 'failed',
    error: 'The service went down 3 times while it processed the file.',
  });
  expect(disk.storage.keys()).toEqual([]);
});

test('a host that is stopped in good order puts its tasks off, however often, and holds it against none', async () => {
  const disk = createDisk();
  const first = startHost(disk, createFakeEngine(forever));
  const { task, outcome } = await first.submit();
  const { outcome: queuedOutcome } = await first.submit();
  await expect.poll(() => statusOf(first.service, task.id)).toBe('processing');
  await first.service.stop();
  expect(await outcome).toEqual({ kind: 'put-off' });
  expect(await queuedOutcome).toEqual({ kind: 'put-off' });

  for (let stop = 2; stop <= 5; stop += 1) {
    const host = startHost(disk, createFakeEngine(forever));
    await host.service.resume();
    await expect.poll(() => statusOf(host.service, task.id)).toBe('processing');
    if (stop < 5) await host.service.stop();
    else host.die();
  }
  const last = startHost(disk);
  await last.service.resume();
  await expect.poll(() => allEnded(last.service)).toBe(true);
  expect((await last.service.list()).map(({ status }) => status)).toEqual(['done', 'done']);
});

test('an upload that comes while the host stops is kept, and run after the next start', async () => {
  const disk = createDisk();
  const stopping = startHost(disk);
  await stopping.service.stop();
  const { task, outcome } = await stopping.submit();
  expect(await outcome).toEqual({ kind: 'put-off' });
  expect(await statusOf(stopping.service, task.id)).toBe('queued');
});

test('a task deleted while its result is being written stays in doubt until nothing more is written', async () => {
  const disk = createDisk();
  const { write } = disk.storage;
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let isWriting = false;
  Object.assign(disk.storage, {
    write: async (key: string, bytes: Uint8Array) => {
      if (key.endsWith('result.json')) {
        isWriting = true;
        await gate;
      }
      return write(key, bytes);
    },
  });
  const { service, submit } = startHost(disk);
  const { task, outcome } = await submit();
  await expect.poll(() => isWriting).toBe(true);
  await service.delete(task.id, 'task-and-files');
  expect(disk.storage.keys()).toEqual([]);
  expect(await disk.taskStore.listFilesInDoubt()).toEqual([task.id]);
  letGo();
  expect(await outcome).toEqual({ kind: 'deleted' });
  expect(disk.storage.keys()).toEqual([]);
  expect(await disk.taskStore.listFilesInDoubt()).toEqual([]);
});

test('files that no task knows are left alone', async () => {
  const disk = createDisk();
  await disk.storage.write('output/00000000-0000-4000-8000-000000000000/anonymised.jpg', RAMP_JPEG);
  await startHost(disk).service.resume();
  expect(disk.storage.keys()).toHaveLength(1);
});

test('a result that the full disk does not take fails with a sentence that says so', async () => {
  const disk = createDisk();
  const full = () => Promise.reject(new StorageUnavailable('full', new Error('ENOSPC')));
  Object.assign(disk.storage, { write: (key: string) => (key.startsWith('output/') ? full() : undefined) });
  const file = { ...receivedInMemory(RAMP_JPEG, disk.storage), moveTo: async () => undefined };
  Object.assign(disk.storage, { read: async () => RAMP_JPEG });
  const { service } = startHost(disk);
  const { task, outcome } = await service.submit({
    file,
    filename: 'a.jpg',
    format: 'jpeg',
    options: OPTIONS,
    webhook: null,
  });
  const sentence =
    'The service has no disk space left: delete tasks that are no longer needed, then try again.';
  expect(await outcome).toEqual({ kind: 'unstorable', sentence });
  expect(await service.get(task.id)).toMatchObject({ status: 'failed', error: sentence });
});

test('a task whose end the full disk does not take has failed, and is deleted although it cannot be noted', async () => {
  const disk = createDisk();
  const { service, submit } = startHost(disk);
  const { put } = disk.taskStore;
  let full = false;
  const unlessFull = <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
    ((...args) =>
      full
        ? Promise.reject(new StorageUnavailable('full', new Error('ENOSPC')))
        : work(...args)) as typeof work;
  Object.assign(disk.taskStore, {
    put: unlessFull(async (task: Parameters<typeof put>[0]) => {
      if (task.status === 'done') {
        full = true;
        throw new StorageUnavailable('full', new Error('ENOSPC'));
      }
      await put(task);
    }),
    remove: unlessFull(disk.taskStore.remove),
    setFilesInDoubt: unlessFull(disk.taskStore.setFilesInDoubt),
  });
  const { task, outcome } = await submit();
  expect((await outcome).kind).toBe('unstorable');
  expect(await statusOf(service, task.id)).toBe('failed');
  expect(disk.storage.keys()).toEqual([]);
});

/** Fails `debug` uploads, works for ever on `score` uploads, and does all others at once. */
const duringScenario: DuringWork = ({ options }) => {
  if (options.debug) throw Object.assign(new Error('Damaged.'), { name: 'UnreadableFile' });
  return options.score ? forever() : Promise.resolve();
};

interface Acknowledged {
  readonly accepted: Set<string>;
  readonly deleted: Set<string>;
}

/** Each crash is a scenario of its own, and waits for little. */
const OFTEN = { interval: 1 };

/** Uploads and deletions of all kinds, one after the other and at once. */
const runScenario = async (
  { service, submit }: ReturnType<typeof startHost>,
  { accepted, deleted }: Acknowledged,
): Promise<void> => {
  const accept = async (...args: Parameters<typeof submit>): Promise<string> => {
    const { task } = await submit(...args);
    accepted.add(task.id);
    return task.id;
  };
  const remove = async (id: string, scope: 'task-and-files' | 'only-files'): Promise<void> => {
    accepted.delete(id); // whether it is gone is not known until it is acknowledged
    await service.delete(id, scope);
    deleted.add(id);
  };
  const done = await accept();
  await expect.poll(() => statusOf(service, done), OFTEN).toBe('done');
  const [damaged, endless, waiting] = [
    await accept({ debug: true }),
    await accept({ score: true }),
    await accept(),
  ];
  await expect.poll(() => statusOf(service, endless), OFTEN).toBe('processing');
  expect(await statusOf(service, damaged)).toBe('failed');
  await Promise.all([accept(), remove(done, 'only-files')]);
  await remove(waiting, 'task-and-files');
  await remove(endless, 'task-and-files');
  await expect.poll(() => allEnded(service), OFTEN).toBe(true);
};

/** How many files a done task has. */
const FILES_OF_A_RESULT = 6;

test('a host that goes down at any of its writes has all that it acknowledged, and no file too many, afterwards', async () => {
  let crashes = 0;
  for (let writes = 0; ; writes += 1) {
    const disk = createDisk();
    const acknowledged: Acknowledged = { accepted: new Set(), deleted: new Set() };
    const mortal = startHost(disk, createFakeEngine(duringScenario), writes);
    const isOver = await Promise.race([
      runScenario(mortal, acknowledged).then(() => true),
      mortal.death.then(() => false),
    ]);
    const { service } = startHost(disk);
    if (!isOver) {
      crashes += 1;
      await service.resume();
      await expect.poll(() => allEnded(service), OFTEN).toBe(true);
    }
    const tasks = new Map((await service.list()).map((task) => [task.id, task.status]));
    for (const id of acknowledged.accepted) {
      expect(tasks.get(id), `after ${writes} writes`).toMatch(/done|failed/);
    }
    for (const id of acknowledged.deleted) expect(tasks.get(id) ?? 'deleted').toBe('deleted');
    const done = [...tasks].filter(([, status]) => status === 'done').map(([id]) => id);
    const holders = disk.storage.keys().map((key) => key.split('/')[1]);
    expect(holders.sort()).toEqual(done.flatMap((id) => new Array(FILES_OF_A_RESULT).fill(id)).sort());
    expect(await disk.taskStore.listFilesInDoubt()).toEqual([]);
    if (isOver) break;
  }
  expect(crashes).toBeGreaterThan(50);
});
