import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { QueueUnavailable, type WorkQueue } from '../../cluster/work-queue';
import { recordLog } from '../../testing/recorded-log';
import { findRedis, startRedis, type RedisServer } from '../../testing/services/redis';
import { startHangingProcess } from '../../testing/services/start-hanging-process';
import { describeWorkQueue, idsOf, jobOf } from '../../testing/work-queue-contract';
import { openQueue } from './open-queue';

const program = findRedis();
const NAMESPACE = 'test';
const LOCK_MS = 400;
const TIMES = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };
const WAIT = { timeout: 10_000, interval: 20 };

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

  describe('work queue on a Redis server that fails', () => {
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
      queue.consume('pictures', 2, async ({ id }) => void taken.push(id));
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

    it.each(['stop', 'kill'] as const)('takes jobs within two seconds after a %s and a start', async (end) => {
      await begin();
      await redis[end]();
      await delay(1500);
      await redis.start();
      const start = performance.now();
      await addWhenBack('after');
      await vi.waitFor(() => expect(taken).toEqual(['before', 'after']), WAIT);
      expect(performance.now() - start).toBeLessThan(2000);
    });

    it('takes jobs after FLUSHALL, also while a handler runs', async () => {
      await begin();
      await queue.add([jobOf('slow')]);
      await command('flushall');
      await queue.add([jobOf('after')]);
      await vi.waitFor(() => expect(taken).toContain('after'), WAIT);
    });

    it('reports that it is unavailable, within five seconds, and available again later', async () => {
      await begin();
      expect(await queue.isAvailable()).toBe(true);
      await redis.kill();
      const start = performance.now();
      await expect(queue.add([jobOf('lost')])).rejects.toThrow(QueueUnavailable);
      await expect(queue.length('pictures')).rejects.toThrow(QueueUnavailable);
      expect(await queue.isAvailable()).toBe(false);
      expect(performance.now() - start).toBeLessThan(5000 * 3);
      await redis.start();
      await vi.waitFor(async () => expect(await queue.isAvailable()).toBe(true), WAIT);
    });
  });
});
void idsOf;
