import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { Task, TaskEvent } from '#shared/domain/task';
import { newWebhook } from '#shared/domain/webhook';
import { describeFilesInDoubt, describeTaskStore, taskRecord } from '#shared/testing/task-store-contract';
import type { WantedEdits } from '#shared/tasks/edits/wanted-edits';
import { StoreUnavailable } from '../../cluster/shared-task-store';
import type { Claim, SharedTaskStore, WorkSettings } from '../../cluster/shared-task-store';
import { findPostgres, startPostgres } from '../../testing/services/postgres';
import { openPostgresTaskStore, type PostgresOptions } from './task-store';

const programs = await findPostgres();
const server = programs === undefined ? undefined : await startPostgres(programs);
afterAll(() => server?.stop());

const SILENT_MS = 150;
const SETTINGS: WorkSettings = { saveMask: 'none', limits: LIMITS };
const WANTED: WantedEdits = {
  body: { objects: [], areas: [] },
  request: { kind: 'image', edits: { objects: [], areas: [] } },
} as unknown as WantedEdits;
const NO_LIMIT = { maxUnfinished: undefined };
const log = { info: () => undefined, error: () => undefined };
const FINISHED: TaskEvent = { type: 'finished', atMs: 2_000_000_000_000 };

const openAt = async (url: string, options: Partial<PostgresOptions> = {}): Promise<SharedTaskStore> => {
  const store = await openPostgresTaskStore(url, { silentMs: SILENT_MS, log, ...options });
  onTestFinished(() => store.close());
  return store;
};
/** Stores of several processes with one database. */
const openStores = async (count: number, options: Partial<PostgresOptions> = {}) => {
  const url = await server!.createDatabase();
  const stores: SharedTaskStore[] = [];
  for (let i = 0; i < count; i += 1) stores.push(await openAt(url, options));
  return stores as [SharedTaskStore, SharedTaskStore, ...SharedTaskStore[]];
};
const openOne = async (): Promise<SharedTaskStore> => (await openStores(1))[0];

const accept = (store: SharedTaskStore, id: string, changes: Partial<Task> = {}, isUrgent = false) =>
  store.accept({ task: taskRecord(id, changes), settings: SETTINGS, isUrgent }, NO_LIMIT);
const claimed = async (store: SharedTaskStore, id: string): Promise<Claim> => {
  const claim = await store.claim(id, 'a worker');
  if (!claim) throw new Error(`${id} was not claimed.`);
  return claim;
};
/** A done task whose result is in one folder. */
const acceptDone = async (
  store: SharedTaskStore,
  id: string,
  changes: Partial<Task> = {},
): Promise<Claim> => {
  await accept(store, id, changes);
  const claim = await claimed(store, id);
  await store.complete(claim, [FINISHED], [claim.token]);
  return claim;
};
const until = async (condition: () => unknown): Promise<void> => {
  while (!(await condition())) await sleep(20);
};
const runSql = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

describe.skipIf(!server)('task store in PostgreSQL', () => {
  describeTaskStore('alone', openOne);
  describeFilesInDoubt('alone', openOne);

  it('keeps all fields of a task, with the secrets of its webhook and its idempotency key', async () => {
    const [store, other] = await openStores(2);
    const target = { url: 'https://receiver.example/', header: { name: 'x-key', value: 'secret' } };
    const task = taskRecord('one', {
      webhook: newWebhook(target),
      idempotency: { key: 'k', request: 'r' },
      filename: 'a\0b\ud800.jpg',
    });
    await store.put(task);
    expect(await other.get('one')).toEqual(task);
  });

  describe('acceptance', () => {
    it('returns the first job, and ends the mark of files in doubt', async () => {
      const store = await openOne();
      await store.setFilesInDoubt('one', true);
      expect(await accept(store, 'one', { kind: 'video' }, true)).toEqual({
        ...{ id: 'one-1', kind: 'videos', taskId: 'one', isUrgent: true },
      });
      expect(await store.listFilesInDoubt()).toEqual([]);
    });

    it('never exceeds the limit, however many processes accept at a time', async () => {
      const stores = await openStores(2);
      await accept(stores[0], 'earlier');
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          stores[i % 2]!.accept(
            { task: taskRecord(`task ${i}`), settings: SETTINGS, isUrgent: false },
            { maxUnfinished: 8 },
          ),
        ),
      );
      expect(results.filter((result) => result === 'full')).toHaveLength(13);
      expect(await stores[0].countUnfinished()).toBe(8);
    });
  });

  describe('claims', () => {
    it('are given to one of several workers that ask at the same time', async () => {
      const stores = await openStores(2);
      await accept(stores[0], 'one');
      const claims = await Promise.all([0, 1, 0, 1].map((i) => stores[i]!.claim('one', 'a worker')));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const [claim] = claims.filter(Boolean);
      expect(claim).toMatchObject({ work: 'process', folders: [], settings: SETTINGS, wanted: undefined });
      expect(claim?.task).toMatchObject({ status: 'processing', attempts: 1 });
      expect((await stores[1].get('one'))?.status).toBe('processing');
    });

    it('are refused for tasks that are unknown, have ended or were deleted', async () => {
      const store = await openOne();
      await acceptDone(store, 'done');
      await accept(store, 'deleted');
      await store.apply('deleted', { type: 'files-deleted' });
      for (const id of ['unknown', 'done', 'deleted'])
        expect(await store.claim(id, 'a worker')).toBeUndefined();
    });

    it('store progress with each heartbeat, for all processes', async () => {
      const [store, other] = await openStores(2);
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      expect(await store.heartbeat(claim, [{ type: 'progressed', progress: 0.5 }])).toBe(true);
      expect(await store.heartbeat(claim, [])).toBe(true);
      expect((await other.get('one'))?.progress).toBe(0.5);
    });

    it('end with the deletion of the task or of its files', async () => {
      const [store, api] = await openStores(2);
      for (const id of ['removed', 'emptied']) await accept(store, id);
      const claims = [await claimed(store, 'removed'), await claimed(store, 'emptied')];
      await api.remove('removed');
      expect((await api.apply('emptied', { type: 'files-deleted' }))?.status).toBe('deleted');
      for (const claim of claims) {
        expect(await store.heartbeat(claim, [])).toBe(false);
        expect(await store.heartbeat(claim, [{ type: 'progressed', progress: 1 }])).toBe(false);
        expect(await store.complete(claim, [FINISHED], [claim.token])).toBe(false);
      }
      expect(await api.get('removed')).toBeUndefined();
      expect(await api.folders('emptied')).toEqual([]);
    });

    it('go to another worker after silence, and a late result of the first one changes nothing', async () => {
      const [first, second] = await openStores(2);
      await accept(first, 'one');
      const lost = await claimed(first, 'one');
      expect(await second.claim('one', 'a worker')).toBeUndefined();
      await sleep(SILENT_MS);
      const claim = await claimed(second, 'one');
      expect(claim.task.attempts).toBe(2);
      expect(await first.heartbeat(lost, [])).toBe(false);
      expect(await first.complete(lost, [FINISHED], [lost.token])).toBe(false);
      expect(await first.folders('one')).toEqual([]);
      expect(await second.complete(claim, [FINISHED], [claim.token])).toEqual({ next: undefined });
      expect(await first.folders('one')).toEqual([claim.token]);
      expect((await first.workCounts()).lostHeartbeats).toBe(1);
    });

    it('stay with a worker that was silent, until another one asks', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      await sleep(SILENT_MS);
      expect(await store.heartbeat(claim, [])).toBe(true);
      expect(await store.claim('one', 'another')).toBeUndefined();
    });

    it('do not stay alive because an API process changes the record', async () => {
      const store = await openOne();
      await accept(store, 'one');
      await claimed(store, 'one');
      await sleep(SILENT_MS);
      await store.update('one', (task) => ({ ...task, filename: 'b.jpg' }));
      expect(await store.claim('one', 'another')).toBeDefined();
    });

    it('that are lost queue the task again twice; then it fails, with its files in doubt', async () => {
      const store = await openOne();
      await accept(store, 'one', { webhook: newWebhook({ url: 'https://receiver.example/', header: null }) });
      for (const number of [2, 3]) {
        await claimed(store, 'one');
        expect(await store.endLostClaims(0)).toEqual({
          jobs: [{ id: `one-${number}`, kind: 'pictures', taskId: 'one', isUrgent: false }],
          failed: [],
        });
      }
      await claimed(store, 'one');
      expect(await store.endLostClaims(60_000)).toEqual({ jobs: [], failed: [] });
      expect(await store.endLostClaims(0)).toEqual({ jobs: [], failed: ['one'] });
      const task = await store.get('one');
      expect(task).toMatchObject({ status: 'failed', failure: { kind: 'interrupted' }, attempts: 3 });
      expect(await store.filesInDoubtSince(0)).toEqual(['one']);
      expect(await store.filesInDoubtSince(60_000)).toEqual([]);
      expect(await store.takeDueWebhooks(1, 1_000)).toEqual([task]);
    });

    it('that are put off give the task a new job and cost no attempt', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      expect(await store.complete(claim, [{ type: 'put-off' }])).toMatchObject({ next: { id: 'one-2' } });
      expect(await store.get('one')).toMatchObject({ status: 'queued', attempts: 0 });
      expect((await claimed(store, 'one')).token).not.toBe(claim.token);
    });

    it('are not completed without an end', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      await expect(store.complete(claim, [])).rejects.toThrow('without an event');
      expect(await store.heartbeat(claim, [])).toBe(true);
    });
  });

  describe('edits', () => {
    it('are stored for the current version only, and given to a worker', async () => {
      const [api, worker] = await openStores(2);
      const { token } = await acceptDone(api, 'one');
      expect(await api.editState('one')).toMatchObject({ version: 0, wanted: undefined, folders: [token] });
      expect(await api.storeEdits('one', WANTED, 1)).toBeUndefined();
      expect(await api.storeEdits('one', WANTED, 0)).toMatchObject({ taskId: 'one', kind: 'pictures' });
      expect(await api.storeEdits('one', WANTED, 0)).toBeUndefined();
      expect(await api.editState('one')).toMatchObject({
        ...{ version: 1, wanted: WANTED, task: { edit: { status: 'queued' } } },
      });
      const claim = await claimed(worker, 'one');
      expect(claim).toMatchObject({ work: 'edits', folders: [token], wanted: WANTED });
      expect(await worker.heartbeat(claim, [{ type: 'edit-progressed', progress: 0.5 }])).toBe(true);
      await worker.complete(
        claim,
        [{ type: 'edit-applied', atMs: 1, laterWait: false }],
        [token, claim.token],
      );
      const state = await api.editState('one');
      expect(state).toMatchObject({ version: 1, wanted: undefined, folders: [token, claim.token] });
      expect(state?.task.edit).toBeUndefined();
    });

    it('end the claim of the edits that they replace', async () => {
      const store = await openOne();
      await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      const replaced = await claimed(store, 'one');
      const job = await store.storeEdits('one', WANTED, 1);
      expect(job?.id).toBe('one-3');
      expect(await store.heartbeat(replaced, [])).toBe(false);
      expect(await store.complete(replaced, [{ type: 'edit-applied', atMs: 1, laterWait: false }], [])).toBe(
        false,
      );
      expect((await claimed(store, 'one')).work).toBe('edits');
    });

    it('of a task that is not done are refused', async () => {
      const store = await openOne();
      await accept(store, 'one');
      expect(await store.storeEdits('one', WANTED, 0)).toBeUndefined();
      expect(await store.storeEdits('nobody', WANTED, 0)).toBeUndefined();
      expect(await store.editState('nobody')).toBeUndefined();
    });

    it('fail after the third lost claim, and the result stays', async () => {
      const store = await openOne();
      const { token } = await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      for (const number of [3, 4]) {
        await claimed(store, 'one');
        expect((await store.endLostClaims(0)).jobs).toMatchObject([{ id: `one-${number}` }]);
      }
      await claimed(store, 'one');
      expect(await store.endLostClaims(0)).toEqual({ jobs: [], failed: [] });
      expect(await store.editState('one')).toMatchObject({
        ...{ version: 2, wanted: undefined, folders: [token] },
        task: { status: 'done', edit: { status: 'failed', error: expect.stringContaining('3 times') } },
      });
    });

    it('that are put off wait again', async () => {
      const store = await openOne();
      await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      const claim = await claimed(store, 'one');
      expect(await store.complete(claim, [{ type: 'put-off' }])).toMatchObject({ next: { id: 'one-3' } });
      expect((await claimed(store, 'one')).wanted).toEqual(WANTED);
    });
  });

  describe('folders of attempts', () => {
    /** Lets two minutes pass for all attempts. */
    const pass = (url: string) =>
      runSql(url, `UPDATE attempts SET next_sweep_at = now() WHERE next_sweep_at IS NOT NULL`);

    it('without a result are due three times; those of results and live claims never', async () => {
      const url = await server!.createDatabase();
      const store = await openAt(url);
      const lost: string[] = [];
      await accept(store, 'one');
      lost.push((await claimed(store, 'one')).token);
      await store.endLostClaims(0);
      const done = await claimed(store, 'one');
      await store.complete(done, [FINISHED], [done.token]);
      await accept(store, 'two');
      await claimed(store, 'two');
      await accept(store, 'removed');
      lost.push((await claimed(store, 'removed')).token);
      await store.remove('removed');
      expect(await store.takeAbandonedFolders(10)).toEqual([]);
      for (let sweep = 0; sweep < 3; sweep += 1) {
        await pass(url);
        const due = await store.takeAbandonedFolders(10);
        expect(due.map(({ folder }) => folder).sort()).toEqual([...lost].sort());
        expect(due.find(({ folder }) => folder === lost[0])?.taskId).toBe('one');
        expect(await store.takeAbandonedFolders(10)).toEqual([]);
      }
      await pass(url);
      expect(await store.takeAbandonedFolders(10)).toEqual([]);
    });

    it('that leave the result are due', async () => {
      const url = await server!.createDatabase();
      const store = await openAt(url);
      const { token } = await acceptDone(store, 'one');
      const edited: string[] = [];
      for (const version of [0, 1]) {
        await store.storeEdits('one', WANTED, version);
        const claim = await claimed(store, 'one');
        edited.push(claim.token);
        await store.complete(
          claim,
          [{ type: 'edit-applied', atMs: 1, laterWait: false }],
          [token, claim.token],
        );
      }
      await pass(url);
      expect(await store.takeAbandonedFolders(10)).toEqual([{ taskId: 'one', folder: edited[0] }]);
    });
  });

  describe('idempotency keys', () => {
    it('find the newest task of any process, until its files are deleted', async () => {
      const [store, other] = await openStores(2);
      const idempotency = { key: 'k', request: 'r' };
      await accept(store, 'first', { idempotency });
      await accept(store, 'second', { idempotency });
      expect(await other.findByKey('k')).toMatchObject({ id: 'second', idempotency });
      expect(await other.findByKey("k' OR 'a'='a")).toBeUndefined();
      for (const id of ['first', 'second']) await other.apply(id, { type: 'files-deleted' });
      expect(await store.findByKey('k')).toBeUndefined();
    });

    it('are used by one request at a time, among all processes', async () => {
      const stores = await openStores(2);
      let running = 0;
      let most = 0;
      const run = async (): Promise<void> => {
        running += 1;
        most = Math.max(most, running);
        await sleep(20);
        running -= 1;
      };
      await Promise.all(Array.from({ length: 6 }, (_, i) => stores[i % 2]!.exclusively('k', run)));
      expect(most).toBe(1);
      const both = ['k', 'other'].map((key, i) => stores[i]!.exclusively(key, run));
      await Promise.all(both);
      expect(most).toBe(2);
    });

    it('are free again when a request fails, or its process ends', async () => {
      const url = await server!.createDatabase();
      const store = await openAt(url);
      await expect(store.exclusively('k', () => Promise.reject(new Error('refused')))).rejects.toThrow(
        'refused',
      );
      const dying = await openPostgresTaskStore(url, { log });
      let end = (): void => undefined;
      const held = dying.exclusively('k', () => new Promise<void>((resolve) => (end = resolve)));
      const waiting = store.exclusively('k', async () => 'free');
      await sleep(100);
      await dying.close();
      expect(await waiting).toBe('free');
      end();
      await held;
    });
  });

  describe('due work', () => {
    it('gives a due webhook to one process until its lease ends, and again after a failed call', async () => {
      const [store, other] = await openStores(2);
      const webhook = newWebhook({ url: 'https://receiver.example/', header: null });
      await accept(store, 'one', { webhook });
      expect(await store.takeDueWebhooks(10, 100)).toEqual([]);
      const claim = await claimed(store, 'one');
      await store.complete(claim, [{ type: 'finished', atMs: 1 }], [claim.token]);
      const taken = await Promise.all([store.takeDueWebhooks(10, 200), other.takeDueWebhooks(10, 200)]);
      expect(taken.flat()).toMatchObject([{ id: 'one', webhook: { target: webhook.target } }]);
      await sleep(200);
      expect(await other.takeDueWebhooks(10, 60_000)).toHaveLength(1);
      const attempt = { edit: undefined, atMs: 1, outcome: { kind: 'timed-out' }, retryAtMs: 2 } as const;
      await other.apply('one', { type: 'webhook-attempted', attempt });
      expect(await store.takeDueWebhooks(10, 60_000)).toHaveLength(1);
      await store.apply('one', { type: 'webhook-attempted', attempt: { ...attempt, retryAtMs: null } });
      expect(await store.takeDueWebhooks(10, 0)).toEqual([]);
    });

    it('lists tasks by the time of their end, oldest first', async () => {
      const store = await openOne();
      await store.put(taskRecord('b', { status: 'done', finishedAtMs: 20 }));
      await store.put(taskRecord('a', { status: 'failed', finishedAtMs: 10 }));
      await store.put(taskRecord('deleted', { status: 'deleted', createdAtMs: 15 }));
      await store.put(taskRecord('late', { status: 'done', finishedAtMs: 30 }));
      await store.put(taskRecord('running', { status: 'queued', createdAtMs: 1 }));
      expect(await store.endedBefore(30, 10)).toEqual(['a', 'deleted', 'b']);
      expect(await store.endedBefore(30, 1)).toEqual(['a']);
    });

    it('lists jobs of waiting tasks and edits, urgent ones first', async () => {
      const store = await openOne();
      await acceptDone(store, 'edited');
      for (const id of ['a', 'b']) await accept(store, id);
      await accept(store, 'urgent', {}, true);
      await accept(store, 'running');
      await claimed(store, 'running');
      await store.storeEdits('edited', WANTED, 0);
      const ids = async (ageMs: number) => (await store.waitingJobs(ageMs, 10)).map(({ id }) => id);
      expect(await ids(0)).toEqual(['edited-2', 'urgent-1', 'a-1', 'b-1']);
      expect(await ids(60_000)).toEqual([]);
      const counts = await store.workCounts();
      expect(counts).toMatchObject({ waiting: 4, active: 1, lostHeartbeats: 0, attempts: 2 });
      expect(counts.oldestWaitingMs).toBeGreaterThan(0);
      expect(await store.countByStatus()).toEqual({ queued: 3, processing: 1, done: 1 });
    });
  });

  describe('election', () => {
    /** A candidate that notes when it serves. */
    const candidate = (store: SharedTaskStore) => {
      const terms: AbortSignal[] = [];
      const resign = store.whenElected(async (signal) => {
        terms.push(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      });
      return { terms, resign };
    };

    it('elects one process, and another one when the first resigns', async () => {
      const [one, two] = await openStores(2);
      const first = candidate(one);
      await until(() => first.terms.length === 1);
      const second = candidate(two);
      await sleep(100);
      expect(second.terms).toEqual([]);
      await first.resign();
      expect(first.terms[0]?.aborted).toBe(true);
      await until(() => second.terms.length === 1);
    });

    it('moves when the connection of the elected process dies', async () => {
      const url = await server!.createDatabase();
      const first = candidate(await openAt(url));
      await until(() => first.terms.length === 1);
      const second = candidate(await openAt(url));
      await sleep(50);
      await runSql(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`,
      );
      await until(() => first.terms[0]?.aborted);
      await until(() => first.terms.length + second.terms.length === 2);
    });
  });

  it('reports changes of other processes, also after a lost subscription', async () => {
    const url = await server!.createDatabase();
    const [store, other] = [await openAt(url), await openAt(url)];
    const changed = new Set<string>();
    const end = other.onChange((id) => changed.add(id));
    const isReported = (id: string) => until(() => changed.delete(id));
    await accept(store, 'one');
    await isReported('one');
    const claim = await claimed(store, 'one');
    await isReported('one');
    await store.complete(claim, [FINISHED], [claim.token]);
    await isReported('one');
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'
      OR query LIKE 'SELECT 1'`,
    );
    await accept(store, 'two');
    await isReported('two');
    await store.remove('one');
    await accept(store, 'three');
    await isReported('three');
    end();
    await accept(store, 'four');
    await sleep(100);
    expect(changed.has('four')).toBe(false);
  });

  it('treats ids as values, whatever they contain', async () => {
    const store = await openOne();
    await accept(store, 'one');
    const ids = [
      "one' OR '1'='1",
      "'; DROP TABLE tasks; --",
      '$1',
      'a\0b',
      '\ud800',
      '%',
      'x'.repeat(10_000),
    ];
    for (const id of ids) {
      expect(await store.get(id)).toBeUndefined();
      expect(await store.apply(id, { type: 'files-deleted' })).toBeUndefined();
      expect(await store.claim(id, id)).toBeUndefined();
      await store.remove(id);
      await store.setFilesInDoubt(id.slice(0, 100), true);
      expect(await store.exclusively(id, async () => store.findByKey(id))).toBeUndefined();
    }
    expect(await store.get('one')).toBeDefined();
  });

  it('fails within seconds while the server is down, and works again afterwards', async () => {
    const [store, other] = await openStores(2);
    await accept(store, 'one');
    const claim = await claimed(store, 'one');
    const changed: string[] = [];
    other.onChange((id) => changed.push(id));
    await sleep(50);
    await server!.kill();
    const startMs = performance.now();
    const calls = [
      () => store.get('one'),
      () => store.heartbeat(claim, []),
      () => accept(store, 'two'),
      () => store.exclusively('k', async () => undefined),
      () => openAt('postgres://postgres@127.0.0.1:1/none'),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailable);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await server!.restart();
    expect(await store.heartbeat(claim, [])).toBe(true);
    await accept(store, 'three');
    expect(await store.exclusively('k', async () => 'run')).toBe('run');
    await until(() => changed.includes('three'));
  });
});
