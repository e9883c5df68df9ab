import { describe, expect, test, vi } from 'vitest';
import type { Task } from '../../domain/task';
import { createFakeEngine, type DuringWork } from '../../testing/fake-engine';
import { createFakeTimer } from '../../testing/fake-webhooks';
import { RAMP_JPEG } from '../../testing/ramp-images';
import { allEnded, createDisk, forever, startHost, statusOf } from '../../testing/task-host';

/** A disk whose host went down while it processed a task and another one waited. */
const diskOfDeadHost = async () => {
  const disk = createDisk();
  const { service, submit, die } = startHost(disk, createFakeEngine(forever));
  const { task: running } = await submit();
  const { task: queued } = await submit();
  await expect.poll(() => statusOf(service, running.id)).toBe('processing');
  die();
  return { disk, running, queued };
};

test('after a restart what was queued and what was being processed is run, the older first', async () => {
  const { disk, running, queued } = await diskOfDeadHost();
  await disk.storage.write(`output/${running.id}/.half.part`, RAMP_JPEG);

  const { service } = startHost(disk);
  await service.resume();
  expect(disk.storage.keys().filter((key) => key.endsWith('.part'))).toEqual([]);
  expect((await service.load()).isBusy).toBe(true);
  await expect.poll(() => allEnded(service)).toBe(true);
  const [second, first] = await service.list();
  expect(first).toMatchObject({ id: running.id, status: 'done' });
  expect(second).toMatchObject({ id: queued.id, status: 'done' });
  expect(first!.finishedAtMs).toBeLessThan(second!.startedAtMs!);
});

test('a restart writes no record of a task that only waits', async () => {
  const { disk, queued } = await diskOfDeadHost();
  const put = vi.spyOn(disk.taskStore, 'put');
  const { service, die } = startHost(disk, createFakeEngine(forever));
  await service.resume();
  expect(put.mock.calls.map(([{ id }]) => id)).not.toContain(queued.id);
  expect(await statusOf(service, queued.id)).toBe('queued');
  die();
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
    failure: {
      kind: 'interrupted',
      sentence: 'The service stopped unexpectedly 3 times while it processed the file.',
    },
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

describe('a grace time', () => {
  const stopWithGrace = async () => {
    const disk = createDisk();
    const timer = createFakeTimer();
    let finish = (): void => undefined;
    const held: DuringWork = () => new Promise((resolve) => (finish = resolve));
    const host = startHost(disk, createFakeEngine(held), undefined, { timer });
    const { task, outcome } = await host.submit();
    await host.submit();
    await expect.poll(() => statusOf(host.service, task.id)).toBe('processing');
    const stopped = host.service.stop(5_000);
    return { ...host, timer, task, outcome, stopped, finish: () => finish() };
  };

  test('lets a running task end, and starts no other', async () => {
    const { finish, outcome, stopped, service } = await stopWithGrace();
    finish();
    expect(await outcome).toEqual({ kind: 'done' });
    await stopped;
    expect((await service.list()).map(({ status }) => status)).toEqual(['queued', 'done']);
  });

  test('ends: the task is then put off', async () => {
    const { timer, outcome, stopped, service, task } = await stopWithGrace();
    expect(timer.elapse()).toBe(5_000);
    expect(await outcome).toEqual({ kind: 'put-off' });
    await stopped;
    expect(await statusOf(service, task.id)).toBe('queued');
  });
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

/** What another detector found in an upload of the scenario. */
const DETECTIONS = new TextEncoder().encode(
  '{"width":48,"height":32,"objects":[{"class":"face","bbox":[2,3,12,13]}]}\n',
);

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
  const done = await accept({}, { detections: DETECTIONS });
  await expect.poll(() => statusOf(service, done), OFTEN).toBe('done');
  const [damaged, endless, waiting] = [
    await accept({ debug: true }),
    await accept({ score: true }),
    await accept({}, { detections: DETECTIONS }),
  ];
  await expect.poll(() => statusOf(service, endless), OFTEN).toBe('processing');
  expect(await statusOf(service, damaged)).toBe('failed');
  await Promise.all([accept(), remove(done, 'only-files')]);
  await remove(waiting, 'task-and-files');
  await remove(endless, 'task-and-files');
  await expect.poll(() => allEnded(service), OFTEN).toBe(true);
};

/** How many files a done task has; the detections of its upload come on top. */
const FILES_OF_A_RESULT = 6;
const filesOf = ({ id, given }: Task): string[] =>
  new Array<string>(FILES_OF_A_RESULT + (given ? 1 : 0)).fill(id);

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
    const listed = await service.list();
    const tasks = new Map(listed.map((task) => [task.id, task.status]));
    for (const id of acknowledged.accepted) {
      expect(tasks.get(id), `after ${writes} writes`).toMatch(/done|failed/);
    }
    for (const id of acknowledged.deleted) expect(tasks.get(id) ?? 'deleted').toBe('deleted');
    const done = listed.filter(({ status }) => status === 'done');
    const holders = disk.storage.keys().map((key) => key.split('/')[1]);
    expect(holders.sort()).toEqual(done.flatMap(filesOf).sort());
    expect(await disk.taskStore.listFilesInDoubt()).toEqual([]);
    if (isOver) break;
  }
  expect(crashes).toBeGreaterThan(50);
});
