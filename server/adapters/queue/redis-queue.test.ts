import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueueUnavailable, type WorkQueue } from '../../cluster/cluster-ports';
import { recordLog } from '../../testing/recorded-log';
import { findRedis, startRedis, type RedisServer } from '../../testing/services/redis';
import { startHangingProcess } from '../../testing/services/start-hanging-process';
import { describeWorkQueue, gate, idsOf, jobOf } from '../../testing/work-queue-contract';
import { openQueue } from './open-queue';

const program = await findRedis();
const NAMESPACE = 'test';
const LOCK_MS = 400;
const TIMES = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };
const WAIT = { timeout: 60_000, interval: 20 };

describe.skipIf(program === undefined)('with a Redis server', () => {
  let redis: RedisServer;
  const { log, lines } = recordLog();
  const connect = (): Promise<WorkQueue> => openQueue(redis.url, { log, namespace: NAMESPACE, times: TIMES });
  const command = async (...[name = '', ...args]: string[]): Promise<unknown> => {
    const client = new Redis(redis.url);
    const answer = await client.call(name, ...args);
    client.disconnect();
    return answer;
  };

  beforeAll(async () => {
    redis = await startRedis(program!);
  });
  afterAll(() => redis.remove());

  describeWorkQueue('work queue on Redis', {
    open: async () => {
      await command('flushall');
      return connect();
    },
    connect,
    startHangingProcess: () => startHangingProcess(redis.url, NAMESPACE, LOCK_MS),
  });

  describe('work queue on a Redis server that fails', { tags: ['slow'] }, () => {
    let queue: WorkQueue;
    let taken: string[];
    const reasons: unknown[] = [];
    const note = (reason: unknown): void => void reasons.push(reason);

    beforeAll(() => {
      process.on('unhandledRejection', note).on('uncaughtException', note);
      return () => void process.off('unhandledRejection', note).off('uncaughtException', note);
    });
    const begin = async (): Promise<void> => {
      await command('flushall');
      lines.length = 0;
      taken = [];
      queue = await connect();
      queue.consume('images', 2, async ({ id }) => void taken.push(id));
      await queue.add([jobOf('before')]);
      await vi.waitFor(() => expect(taken).toEqual(['before']), WAIT);
    };
    afterEach(async () => {
      await queue.close();
      await redis.kill();
      await redis.start();
      expect(reasons).toEqual([]);
    });
    /** Adds until the producer is connected again. */
    const addWhenBack = (id: string): Promise<void> => vi.waitFor(() => queue.add([jobOf(id)]), WAIT);

    it.each(['stop', 'kill'] as const)(
      'takes jobs within two seconds after a %s and a start',
      async (end) => {
        await begin();
        await redis[end]();
        await delay(1500);
        await redis.start();
        const start = performance.now();
        await addWhenBack('after');
        await vi.waitFor(() => expect(taken).toEqual(['before', 'after']), WAIT);
        expect(performance.now() - start).toBeLessThan(2000);
      },
    );

    it('takes jobs after FLUSHALL, also if it deleted a job whose handler runs', async () => {
      await begin();
      const { open: finish, opened: finished } = gate();
      let isRunning = false;
      queue.consume('videos', 1, async ({ id }) => {
        isRunning = true;
        if (id === 'slow') await finished;
        else taken.push(id);
      });
      await queue.add([jobOf('slow', { kind: 'videos' })]);
      await vi.waitFor(() => expect(isRunning).toBe(true), WAIT);
      await command('flushall');
      finish();
      await queue.add([jobOf('video', { kind: 'videos' }), jobOf('picture')]);
      await vi.waitFor(() => expect(taken).toEqual(expect.arrayContaining(['video', 'picture'])), WAIT);
    });

    it('refuses jobs within five seconds while it is stopped or does not answer', async () => {
      await begin();
      for (const [interrupt, repair] of [
        [redis.kill, redis.start],
        [redis.suspend, redis.resume],
      ] as const) {
        expect(await queue.isAvailable()).toBe(true);
        await interrupt();
        const start = performance.now();
        const answers = await Promise.all([
          queue.add([jobOf('lost')]).catch((error: unknown) => error),
          queue.length('images').catch((error: unknown) => error),
          queue.isAvailable(),
        ]);
        expect(answers).toEqual([expect.any(QueueUnavailable), expect.any(QueueUnavailable), false]);
        expect(performance.now() - start).toBeLessThan(5000);
        await repair();
        await vi.waitFor(async () => expect(await queue.isAvailable()).toBe(true), WAIT);
      }
    });

    it('is unavailable while it cannot store data', async () => {
      await begin();
      await command('config', 'set', 'maxmemory', '1');
      await expect(queue.add([jobOf('large')])).rejects.toThrow(QueueUnavailable);
      expect(await queue.isAvailable()).toBe(false);
      await command('config', 'set', 'maxmemory', '0');
      expect(await queue.isAvailable()).toBe(true);
    });

    it('is asked at most a few times per second while it is a read-only replica', async () => {
      await begin();
      await queue.add(idsOf('job', 20).map((id) => jobOf(id, { kind: 'videos' })));
      let handled = 0;
      queue.consume('videos', 2, async () => {
        handled += 1;
        await delay(20);
      });
      await vi.waitFor(() => expect(handled).toBeGreaterThan(0), WAIT);
      await command('replicaof', '127.0.0.1', '1');
      const count = async (): Promise<number> => {
        const [, total] = /total_commands_processed:(\d+)/.exec(String(await command('info', 'stats')))!;
        return Number(total);
      };
      await delay(200);
      const before = await count();
      await delay(1000);
      expect((await count()) - before).toBeLessThan(200);
      await command('replicaof', 'no', 'one');
      await vi.waitFor(() => expect(handled).toBeGreaterThanOrEqual(20), WAIT);
    });

    it('stops a consumer after its handler, and closes, while it is stopped', async () => {
      await begin();
      let isRunning = false;
      const { open: finish, opened: finished } = gate();
      const consumer = queue.consume('videos', 1, () => {
        isRunning = true;
        return finished;
      });
      await queue.add([jobOf('slow', { kind: 'videos' })]);
      await vi.waitFor(() => expect(isRunning).toBe(true), WAIT);
      await redis.kill();
      let isStopped = false;
      const stopped = consumer.stop().then(() => (isStopped = true));
      await delay(200);
      expect(isStopped).toBe(false);
      const start = performance.now();
      finish();
      await stopped;
      await queue.close();
      expect(performance.now() - start).toBeLessThan(4000);
    });

    it('connects when it is started after its clients, and logs each reason once', async () => {
      await begin();
      await queue.close();
      await redis.kill();
      lines.length = 0;
      queue = await connect();
      const late: string[] = [];
      queue.consume('images', 1, async ({ id }) => void late.push(id));
      await delay(1500);
      expect(lines).toEqual([expect.stringContaining('ECONNREFUSED')]);
      await redis.start();
      await addWhenBack('late');
      await vi.waitFor(() => expect(late).toEqual(['late']), WAIT);
    });
  });

  it('logs a handler that rejects, with the id of the job', async () => {
    const queue = await connect();
    const { open, opened } = gate<unknown>();
    const failing = await openQueue(redis.url, {
      namespace: 'failing',
      log: { ...log, error: (_message, cause, facts) => open([cause, facts]) },
    });
    const reason = new Error('on purpose');
    failing.consume('images', 1, () => Promise.reject(reason));
    await failing.add([jobOf('one')]);
    expect(await opened).toEqual([reason, { job: 'one' }]);
    await Promise.all([queue.close(), failing.close()]);
  });

  it('logs a warning if Redis may delete jobs', async () => {
    await command('config', 'set', 'maxmemory-policy', 'allkeys-lru');
    lines.length = 0;
    const queue = await connect();
    await vi.waitFor(() => expect(lines.join()).toContain('maxmemory-policy to noeviction'), WAIT);
    await queue.close();
    await command('config', 'set', 'maxmemory-policy', 'noeviction');
  });

  it('keeps short event streams and no finished jobs', async () => {
    await command('flushall');
    const queue = await connect();
    const taken: string[] = [];
    queue.consume('images', 4, async ({ id }) => void taken.push(id));
    await queue.add(idsOf('job', 400).map((id) => jobOf(id)));
    await vi.waitFor(() => expect(taken.length).toBe(400), WAIT);
    await vi.waitFor(async () => expect((await queue.length('images')).active).toBe(0), WAIT);
    // Redis shortens streams by whole blocks of 100 entries.
    expect(await command('xlen', `${NAMESPACE}:pictures:events`)).toBeLessThanOrEqual(200);
    const keys = (await command('keys', `${NAMESPACE}:pictures:*`)) as string[];
    expect(keys.filter((key) => key.includes('job-'))).toEqual([]);
    expect(keys).not.toContain(`${NAMESPACE}:pictures:completed`);
    await queue.close();
  });

  it('refuses an id that BullMQ would refuse or change', async () => {
    const queue = await connect();
    for (const id of ['a:b', '17', '']) await expect(queue.add([jobOf(id)])).rejects.toThrow('not an id');
    await queue.close();
  });

  it('does not log the password of a refused login', async () => {
    await command('acl', 'setuser', 'veil', 'on', '>right', '~*', '+@all');
    const errors: unknown[] = [];
    const queue = await openQueue(`redis://veil:secret-of-test@127.0.0.1:${redis.port}`, {
      log: { ...log, error: (...logged) => errors.push(logged) },
    });
    await expect(queue.add([jobOf('one')])).rejects.toThrow(QueueUnavailable);
    expect(errors.length).toBeGreaterThan(0);
    expect(inspect(errors, { depth: 9 })).toContain('WRONGPASS');
    expect(inspect(errors, { depth: 9 })).not.toContain('secret-of-test');
    await queue.close();
    const right = await openQueue(`redis://veil:right@127.0.0.1:${redis.port}/3`, { log });
    await right.add([jobOf('one')]);
    expect(await right.length('images')).toEqual({ waiting: 1, active: 0 });
    await right.close();
  });
});
