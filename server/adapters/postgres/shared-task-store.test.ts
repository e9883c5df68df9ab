import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '#shared/domain/webhook';
import { describeSubjectStore } from '#shared/testing/subject-store-contract';
import { taskRecord } from '#shared/testing/task-store-contract';
import { StoreUnavailable } from '#shared/tasks/base/job-store';
import { type SharedTaskStore } from '../../cluster/shared-task-store';
import { runSql } from '../../testing/services/postgres';
import {
  accept,
  acceptDone,
  APPLIED,
  claimed,
  FINISHED,
  openStore,
  startServerForFile,
  WANTED,
} from '../../testing/services/postgres-stores';

const server = await startServerForFile();

/** Stores of two processes with one database. */
const openTwo = async (): Promise<readonly [SharedTaskStore, SharedTaskStore]> => {
  const url = await server!.createDatabase();
  return [await openStore(url), await openStore(url)];
};
const openOne = async (): Promise<SharedTaskStore> => openStore(await server!.createDatabase());

const until = async (condition: () => unknown): Promise<void> => {
  while (!(await condition())) await sleep(20);
};

if (server) describeSubjectStore('in PostgreSQL', async () => (await openOne()).subjects);

describe.skipIf(!server)('task store in PostgreSQL', () => {
  describe('folders of attempts', () => {
    /** Lets two minutes pass for all attempts. */
    const pass = (url: string) =>
      runSql(url, `UPDATE attempts SET next_sweep_at = now() WHERE next_sweep_at IS NOT NULL`);

    it('without a result are due three times; those of results and live claims never', async () => {
      const url = await server!.createDatabase();
      const store = await openStore(url);
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
      expect(await store.takeAbandonedFolders(10)).toHaveLength(2); // nobody has said that their files are gone
      await store.endSweeps(lost);
      await pass(url);
      expect(await store.takeAbandonedFolders(10)).toEqual([]);
    });

    it('are due again where only their first or second sweep was ended', async () => {
      const url = await server!.createDatabase();
      const store = await openStore(url);
      await accept(store, 'one');
      const { token } = await claimed(store, 'one');
      await store.remove('one');
      for (let sweep = 0; sweep < 3; sweep += 1) {
        await pass(url);
        expect(await store.takeAbandonedFolders(10)).toEqual([{ taskId: 'one', folder: token }]);
        await store.endSweeps([token]);
      }
      await pass(url);
      expect(await store.takeAbandonedFolders(10)).toEqual([]);
    });

    it('that leave the result are due', async () => {
      const url = await server!.createDatabase();
      const store = await openStore(url);
      const { token } = await acceptDone(store, 'one');
      const edited: string[] = [];
      for (const version of [0, 1]) {
        await store.storeEdits('one', WANTED, version);
        const claim = await claimed(store, 'one');
        edited.push(claim.token);
        await store.complete(claim, [APPLIED], [token, claim.token]);
      }
      await pass(url);
      expect(await store.takeAbandonedFolders(10)).toEqual([{ taskId: 'one', folder: edited[0] }]);
    });
  });

  describe('idempotency keys', () => {
    it('find the newest task of any process, until its files are deleted', async () => {
      const [store, other] = await openTwo();
      const idempotency = { key: 'k', request: 'r' };
      await accept(store, 'first', { idempotency });
      await accept(store, 'second', { idempotency });
      expect(await other.findByKey('k')).toMatchObject({ id: 'second', idempotency });
      expect(await other.findByKey("k' OR 'a'='a")).toBeUndefined();
      for (const id of ['first', 'second']) await other.apply(id, { type: 'files-deleted' });
      expect(await store.findByKey('k')).toBeUndefined();
    });

    it('are used by one request at a time, among all processes', async () => {
      const stores = await openTwo();
      let running = 0;
      let maxRunning = 0;
      const run = async (): Promise<void> => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await sleep(20);
        running -= 1;
      };
      await Promise.all(Array.from({ length: 6 }, (_, i) => stores[i % 2]!.exclusively('k', run)));
      expect(maxRunning).toBe(1);
    });

    it('are used at the same time if they differ', async () => {
      const [one, two] = await openTwo();
      const both = one.exclusively('k', () => two.exclusively('other', async () => 'both'));
      expect(await both).toBe('both');
    });

    it('are free again when a request fails, or its process ends', async () => {
      const url = await server!.createDatabase();
      const store = await openStore(url);
      await expect(store.exclusively('k', () => Promise.reject(new Error('refused')))).rejects.toThrow(
        'refused',
      );
      const dying = await openStore(url);
      await dying.exclusively('k', async () => {
        const waiting = store.exclusively('k', async () => 'free');
        await dying.close();
        expect(await waiting).toBe('free');
      });
    });
  });

  describe('due work', () => {
    /** Long enough for both to ask on a busy machine. */
    const LEASE_MS = 2_000;

    it('gives a due webhook to one process until its lease ends, and again after a failed call', async () => {
      const [store, other] = await openTwo();
      const webhook = newWebhook({ url: 'https://receiver.example/', header: null });
      await accept(store, 'one', { webhook });
      expect(await store.takeDueWebhooks(10, 100)).toEqual([]);
      const claim = await claimed(store, 'one');
      await store.complete(claim, [{ type: 'finished', atMs: 1 }], [claim.token]);
      const taken = await Promise.all([store, other].map((each) => each.takeDueWebhooks(10, LEASE_MS)));
      expect(taken.flat()).toMatchObject([{ id: 'one', webhook: { target: webhook.target } }]);
      await until(async () => (await other.takeDueWebhooks(10, 60_000)).length === 1);
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
      expect(await store.countEndedBefore(30)).toEqual({ due: 3, all: 5 });
    });

    it('takes the end of a task from the clock of the database, however wrong that of its worker is', async () => {
      const store = await openOne();
      const startMs = await store.nowMs();
      await acceptDone(store, 'one'); // says that it ended in 1970
      expect(await store.endedBefore(startMs, 10)).toEqual([]);
      await store.apply('one', { type: 'files-deleted' });
      expect(await store.endedBefore(startMs, 10)).toEqual([]);
      expect(await store.endedBefore((await store.nowMs()) + 1, 10)).toEqual(['one']);
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
      const [one, two] = await openTwo();
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
      const first = candidate(await openStore(url));
      await until(() => first.terms.length === 1);
      const second = candidate(await openStore(url));
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
    const [store, other] = [await openStore(url), await openStore(url)];
    const changed = new Set<string>();
    const end = other.onChange((id) => changed.add(id));
    const isReported = (id: string) => until(() => changed.delete(id));
    await accept(store, 'one');
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
    await claimed(store, 'two');
    await isReported('two');
    await store.remove('one');
    await accept(store, 'three');
    await claimed(store, 'three');
    await isReported('three');
    end();
    await accept(store, 'four');
    await claimed(store, 'four');
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
    const [store, other] = await openTwo();
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
      () => openStore('postgres://postgres@127.0.0.1:1/none'),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailable);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await server!.restart();
    expect(await store.heartbeat(claim, [])).toBe(true);
    await accept(store, 'three');
    await claimed(store, 'three');
    expect(await store.exclusively('k', async () => 'run')).toBe('run');
    await until(() => changed.includes('three'));
  });
});
