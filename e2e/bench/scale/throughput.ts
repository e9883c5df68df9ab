/** Images per second by number of workers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import pg from 'pg';
import type { Cluster } from '../../../server/testing/cluster/cluster';
import { createClient, uploadAll, type BenchImage } from './client';

const CONNECTIONS = 16;
const POLL_MS = 200;
const LIMIT_MS = 900_000;
/** Images for each worker before the measurement: connections are open and code is compiled. */
const WARM_UP = 5;

export interface Throughput {
  readonly workers: number;
  readonly images: number;
  /** From the first start to the last end, by the task records. */
  readonly seconds: number;
  /** Time between the first start and the first start on the last worker. */
  readonly staggerMs: number;
  /** CPU time of the workers for each image. */
  readonly cpuMs: number;
}

/** Measures in one cluster. */
export interface ThroughputBench {
  /**
   * Images wait in the queue before the first worker takes one, so that uploads cost nothing here.
   *
   * @param perWorker number of images for each worker
   */
  measure(perWorker: number, imageOf: (index: number) => BenchImage): Promise<Throughput>;
  close(): Promise<void>;
}

const CPU_METRIC = /^process_cpu_seconds_total (\S+)/m;

/** CPU time of all workers so far, in ms. */
const cpuMsOf = async ({ workers }: Cluster): Promise<number> => {
  const times = workers.map(async ({ origin }) => {
    const [, seconds] = CPU_METRIC.exec(await (await fetch(`${origin}/metrics`)).text()) ?? [];
    return Number(seconds) * 1000;
  });
  return (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
};

const TIMES = `
  WITH work AS (
    SELECT (record->>'startedAtMs')::float8 AS start_ms, (record->>'finishedAtMs')::float8 AS end_ms
    FROM tasks WHERE id = ANY($1) AND status = 'done')
  SELECT count(*)::int AS done, min(start_ms) AS start_ms, max(end_ms) AS end_ms,
    (SELECT max(start_ms) FROM (SELECT start_ms FROM work ORDER BY start_ms LIMIT $2) AS firsts) AS last_ms
  FROM work`;

interface TimesRow {
  readonly done: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly last_ms: number;
}

/** Resolves when no task waits or is processed. */
export const whenProcessed = async (database: pg.Client): Promise<void> => {
  for (const endMs = performance.now() + LIMIT_MS; performance.now() < endMs; await sleep(POLL_MS)) {
    const { rows } = await database.query<{ tasks: number }>(
      `SELECT count(*)::int AS tasks FROM tasks WHERE status IN ('queued', 'processing')`,
    );
    if (rows[0]?.tasks === 0) return;
  }
  throw new Error('The images were not processed in time.');
};

/** The queue of images, which workers do not take from while it is paused. */
export const openImageQueue = ({ redis }: Cluster): Queue =>
  new Queue('images', { connection: { host: '127.0.0.1', port: redis.port }, prefix: 'veil' });

export const openThroughputBench = async (cluster: Cluster): Promise<ThroughputBench> => {
  const client = createClient(cluster.apis[0]!.origin, CONNECTIONS);
  const queue = openImageQueue(cluster);
  const database = new pg.Client({ connectionString: cluster.database });
  await database.connect();
  const imagesOf = (count: number, imageOf: (index: number) => BenchImage): BenchImage[] =>
    Array.from({ length: count }, (_, index) => imageOf(index));

  return {
    measure: async (perWorker, imageOf) => {
      const workers = cluster.workers.length;
      await uploadAll([client], imagesOf(workers * WARM_UP, imageOf));
      await whenProcessed(database);
      await queue.pause();
      const { ids } = await uploadAll([client], imagesOf(workers * perWorker, imageOf));
      const cpuBeforeMs = await cpuMsOf(cluster);
      await queue.resume();
      await whenProcessed(database);
      const cpuMs = ((await cpuMsOf(cluster)) - cpuBeforeMs) / ids.length;
      const { rows } = await database.query<TimesRow>(TIMES, [ids, workers]);
      const { done, start_ms, end_ms, last_ms } = rows[0]!;
      if (done !== ids.length) throw new Error(`${ids.length - done} of ${ids.length} images failed.`);
      return {
        ...{ workers, images: done, cpuMs },
        seconds: (end_ms - start_ms) / 1000,
        staggerMs: last_ms - start_ms,
      };
    },
    close: async () => {
      await Promise.all([client.close(), queue.close(), database.end()]);
    },
  };
};
