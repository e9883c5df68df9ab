import { describe, expect, it } from 'vitest';
import { KeyReused, type Admit } from '../tasks/accept/accept-upload';
import { createFakeEngine } from './fake-engine';
import {
  FOREVER,
  HIDING,
  PATIENTLY,
  SHOWING,
  acceptDone,
  createCountingEngine,
  createHeldEngine,
  edit,
  editsAre,
  labels,
  statusIs,
  stopEdits,
  submit,
  type JobDisk,
} from './job-contract-steps';

/** Rules about uploads and their processing. */
const describeProcessing = (open: () => Promise<JobDisk>): void => {
  it('an upload becomes a result, and its end is known to who waits for it', async () => {
    const disk = await open();
    const host = await disk.start(createFakeEngine(), {});
    const { task, outcome } = await submit(disk, host);
    expect(await outcome).toEqual({ kind: 'done' });
    expect(await host.service.get(task.id)).toMatchObject({ status: 'done', attempts: 1, progress: 1 });
    expect(await labels(host, task.id)).toEqual(['face', 'vehicle']);
  });

  it('no more tasks are accepted than the limit, however many come at a time', async () => {
    const disk = await open();
    const host = await disk.start(createFakeEngine(FOREVER), { maxQueue: 3 });
    const admit: Admit = ({ isFull }) => {
      if (isFull) throw new Error('full');
    };
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => submit(disk, host, {}, admit)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await host.service.list()).toHaveLength(3);
    expect((await disk.keys()).filter((key) => key.startsWith('input/'))).toHaveLength(3);
  });

  it('of two uploads that wait for their results at a time, one is refused', async () => {
    const disk = await open();
    const host = await disk.start(createFakeEngine(FOREVER), { syncWhenBusy: 'refuse' });
    const admit: Admit = ({ isBusy }) => {
      if (isBusy) throw new Error('busy');
    };
    const upload = { isAwaited: true };
    const answers = await Promise.allSettled([0, 1].map(() => submit(disk, host, upload, admit)));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('a task that fails keeps its reason and no file', async () => {
    const disk = await open();
    const damaged = Object.assign(new Error('The image is damaged.'), { name: 'UnreadableFile' });
    const host = await disk.start(
      createFakeEngine(() => Promise.reject(damaged)),
      {},
    );
    const { task, outcome } = await submit(disk, host);
    const failure = { kind: 'bad-file', sentence: 'The image is damaged.' };
    expect(await outcome).toEqual({ kind: 'failed', failure });
    expect(await host.service.get(task.id)).toMatchObject({ status: 'failed', failure });
    await expect.poll(() => disk.keys(), PATIENTLY).toEqual([]);
  });

  it('a task whose host is killed is processed by the next one, and counts one attempt more', async () => {
    const disk = await open();
    const first = await disk.start(createFakeEngine(FOREVER), {});
    const { task } = await submit(disk, first);
    await statusIs(first, task.id, 'processing');
    first.crash();
    const next = await disk.start(createFakeEngine(), {});
    await statusIs(next, task.id, 'done');
    expect(await next.service.get(task.id)).toMatchObject({ attempts: 2 });
  });

  it('a task fails when its host is killed for the third time, and keeps no file', async () => {
    const disk = await open();
    let id = '';
    for (let kill = 1; kill <= 3; kill += 1) {
      const host = await disk.start(createFakeEngine(FOREVER), {});
      if (kill === 1) id = (await submit(disk, host)).task.id;
      await expect.poll(() => host.service.get(id), PATIENTLY).toMatchObject({ attempts: kill });
      host.crash();
    }
    const last = await disk.start(createFakeEngine(), {});
    await statusIs(last, id, 'failed');
    expect((await last.service.get(id))?.failure).toEqual({
      kind: 'interrupted',
      sentence: 'The service stopped unexpectedly 3 times while it processed the file.',
    });
    await expect.poll(() => disk.keys(), PATIENTLY).toEqual([]);
  });

  it('a host that stops in good order puts its task off, however often, at the cost of no attempt', async () => {
    const disk = await open();
    let id = '';
    for (let stop = 1; stop <= 4; stop += 1) {
      const host = await disk.start(createFakeEngine(FOREVER), {});
      if (stop === 1) id = (await submit(disk, host)).task.id;
      await statusIs(host, id, 'processing');
      expect((await host.service.get(id))?.attempts).toBe(1);
      await host.stop();
    }
    const last = await disk.start(createFakeEngine(), {});
    await statusIs(last, id, 'done');
  });
};

/** Rules about deletions and repeated requests. */
const describeDeletion = (open: () => Promise<JobDisk>): void => {
  it.each(['task-and-files', 'only-files'] as const)(
    'work that goes on after the deletion of its task brings nothing back: %s',
    async (scope) => {
      const disk = await open();
      const { engine, waiting, letGo } = createHeldEngine(true);
      const host = await disk.start(engine, {});
      const { task, outcome } = await submit(disk, host);
      await expect.poll(() => waiting.length, PATIENTLY).toBe(1);
      expect(await host.service.delete(task.id, scope)).toBe(true);
      letGo();
      expect(await outcome).toEqual({ kind: 'deleted' });
      expect((await host.service.get(task.id))?.status).toBe(scope === 'only-files' ? 'deleted' : undefined);
      await host.stop();
      expect(await disk.keys()).toEqual([]);
    },
  );

  it('a task that is deleted while it waits is never begun', async () => {
    const disk = await open();
    const { engine, waiting, letGo } = createHeldEngine();
    const host = await disk.start(engine, {});
    const running = await submit(disk, host);
    await expect.poll(() => waiting.length, PATIENTLY).toBe(1);
    const queued = await submit(disk, host);
    await host.service.delete(queued.task.id, 'task-and-files');
    letGo();
    await statusIs(host, running.task.id, 'done');
    await host.stop();
    expect(waiting).toEqual([]);
  });

  it('requests with the same key are one task, at the same time and after a restart', async () => {
    const disk = await open();
    const host = await disk.start(createFakeEngine(), {});
    const idempotencyKey = 'a key';
    const both = await Promise.all([0, 1].map(() => submit(disk, host, { idempotencyKey })));
    const [id] = both.map(({ task }) => task.id);
    expect(both.map(({ task }) => task.id)).toEqual([id, id]);
    for (const { outcome } of both) expect(await outcome).toEqual({ kind: 'done' });
    await host.stop();
    const next = await disk.start(createFakeEngine(), {});
    expect(await next.service.isRepeated(idempotencyKey)).toBe(true);
    const repeated = await submit(disk, next, { idempotencyKey });
    expect([repeated.task.id, await repeated.outcome]).toEqual([id, { kind: 'done' }]);
    await expect(submit(disk, next, { idempotencyKey, filename: 'b.jpg' })).rejects.toThrow(KeyReused);
    await next.service.delete(id!, 'only-files');
    expect((await submit(disk, next, { idempotencyKey })).task.id).not.toBe(id);
  });
};

/** Rules about edits of results. */
const describeEdits = (open: () => Promise<JobDisk>): void => {
  it('edits replace the result, and can be taken back', async () => {
    const disk = await open();
    const host = await disk.start(createCountingEngine(), {});
    const id = await acceptDone(disk, host);
    expect(await (await edit(host, id, SHOWING)).outcome).toEqual({ kind: 'applied' });
    expect(await labels(host, id)).toEqual(['vehicle']);
    expect(await (await edit(host, id, HIDING)).outcome).toEqual({ kind: 'applied' });
    expect(await labels(host, id)).toEqual(['face', 'vehicle']);
  });

  it('of edits that come fast, the last ones are in force, and all have ended', async () => {
    const disk = await open();
    const started: unknown[] = [];
    const host = await disk.start(
      createCountingEngine(async () => {
        started.push(undefined);
        if (started.length === 1) await new Promise(() => undefined);
      }),
      {},
    );
    const id = await acceptDone(disk, host);
    const first = await edit(host, id, { ...HIDING, classes: [] });
    await expect.poll(() => started.length, PATIENTLY).toBe(1);
    const outcomes = [first.outcome, (await edit(host, id, HIDING)).outcome];
    outcomes.push((await edit(host, id, SHOWING)).outcome);
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill({ kind: 'applied' }));
    expect(await labels(host, id)).toEqual(['vehicle']);
  });

  it('edits that are stopped leave the result, and so do edits that fail', async () => {
    const disk = await open();
    let isFailing = false;
    const host = await disk.start(
      createCountingEngine(() =>
        isFailing ? Promise.reject(new Error('a fault')) : new Promise(() => undefined),
      ),
      {},
    );
    const id = await acceptDone(disk, host);
    const before = await host.service.result(id);
    await edit(host, id, SHOWING);
    await editsAre(host, id, 'processing');
    expect(await stopEdits(host, id)).toEqual({ wereStopped: true });
    expect(await stopEdits(host, id)).toEqual({ wereStopped: false });
    await editsAre(host, id, undefined);
    isFailing = true;
    expect(await (await edit(host, id, SHOWING)).outcome).toMatchObject({ kind: 'failed' });
    await editsAre(host, id, 'failed');
    expect(await host.service.result(id)).toEqual(before);
  });

  it.each(['crash', 'stop'] as const)('edits are applied after a restart: %s', async (end) => {
    const disk = await open();
    const host = await disk.start(
      createCountingEngine(() => new Promise(() => undefined)),
      {},
    );
    const id = await acceptDone(disk, host);
    await edit(host, id, SHOWING);
    await editsAre(host, id, 'processing');
    await host[end]();
    const next = await disk.start(createCountingEngine(), {});
    await editsAre(next, id, undefined);
    expect(await labels(next, id)).toEqual(['vehicle']);
  });

  it('a release stays after a restart, and ends with the next edits', async () => {
    const disk = await open();
    const first = await disk.start(createCountingEngine(), {});
    const id = await acceptDone(disk, first);
    const release = { atMs: 5, reviewer: 'Zoë' };
    const releaseBy = async (host: typeof first) =>
      host.service.edits.release((await host.service.get(id))!, release, () => true);
    expect(await releaseBy(first)).toBe('released');
    await first.stop();
    const next = await disk.start(createCountingEngine(), {});
    expect((await next.service.get(id))?.release).toEqual(release);
    await (
      await edit(next, id, SHOWING)
    ).outcome;
    expect((await next.service.get(id))?.release).toBeUndefined();
    expect(await releaseBy(next)).toBe('released');
  });

  it('a result is not released while edits wait or run', async () => {
    const disk = await open();
    const host = await disk.start(
      createCountingEngine(() => new Promise(() => undefined)),
      {},
    );
    const id = await acceptDone(disk, host);
    await edit(host, id, SHOWING);
    const task = (await host.service.get(id))!;
    expect(await host.service.edits.release(task, { atMs: 5 }, () => true)).toBe('pending');
    await editsAre(host, id, 'processing');
  });

  it('edits leave nothing behind if their task is deleted meanwhile', async () => {
    const disk = await open();
    const host = await disk.start(
      createCountingEngine(() => new Promise(() => undefined)),
      {},
    );
    const id = await acceptDone(disk, host);
    const { outcome } = await edit(host, id, SHOWING);
    await editsAre(host, id, 'processing');
    await host.service.delete(id, 'task-and-files');
    expect(await outcome).toEqual({ kind: 'deleted' });
    await host.stop();
    expect(await disk.keys()).toEqual([]);
  });
};

/** Tests that every store of jobs must pass, with the lifecycle of tasks upon it. */
export const describeJobs = (name: string, open: () => Promise<JobDisk>): void => {
  describe(`jobs ${name}`, () => {
    describeProcessing(open);
    describeDeletion(open);
    describeEdits(open);
  });
};
