/** What a task costs the services that all processes share: the figures on which plans for many workers rest. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Cluster } from '../../../server/testing/cluster/cluster';
import { fakeImage } from '../../../server/testing/cluster/fake-images';
import { runSql } from '../../../server/testing/services/postgres';
import { createClient, uploadAll, type BenchImage } from './client';
import { familyCpuMs } from './process-cpu';
import { openImageQueue, whenProcessed } from './throughput';

/** Settings of a database that counts statements. */
export const COUNTING = { shared_preload_libraries: 'pg_stat_statements' } as const;

/** Counters of database and queue, in the order of the printed columns. */
export const COUNTERS = {
  statements: 'SQL statements',
  notifications: 'Notifications',
  flushes: 'Flushes of the log',
  logBytes: 'Bytes of log',
  databaseCpuMs: 'CPU ms of the database',
  scripts: 'Scripts of the queue',
  commands: 'Commands of the queue',
  queueBytes: 'Bytes to and from the queue',
  queueCpuMs: 'CPU ms of the queue',
  apiCpuMs: 'CPU ms of the API process',
} as const;
export type Costs = Readonly<Record<keyof typeof COUNTERS, number>>;

const each = (of: (name: keyof Costs) => number): Costs =>
  Object.fromEntries((Object.keys(COUNTERS) as (keyof Costs)[]).map((name) => [name, of(name)])) as Costs;
/** `a − factor × b`. */
const without = (a: Costs, b: Costs, factor = 1): Costs => each((name) => a[name] - factor * b[name]);
const divided = (a: Costs, by: number): Costs => each((name) => a[name] / by);

/** A user of the database whose own statements are not counted. */
const OBSERVER = 'observer';
/** Also those that begin and end a transaction. */
const STATEMENTS = `
  SELECT coalesce(sum(calls), 0)::float8 AS statements,
    coalesce(sum(calls) FILTER (WHERE query LIKE '%pg_notify%'), 0)::float8 AS notifications
  FROM pg_stat_statements WHERE userid <> '${OBSERVER}'::regrole`;
const TOTALS = `
  SELECT (SELECT wal_sync FROM pg_stat_wal)::float8 AS flushes,
    split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "logBytes"`;

const CONNECTIONS = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'veil'`;

/** Processes of the database report what they have done when they have been idle for ten seconds. */
const REPORT_MS = 11_000;

interface Observer {
  /** Counters since the beginning. */
  read(): Promise<Costs>;
  /** Connections of all processes. */
  connections(): Promise<TaskCosts['connections']>;
  /** Resolves when no task waits or is processed. */
  whenProcessed(): Promise<void>;
  close(): Promise<void>;
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

const observe = async ({ database, redis, apis }: Cluster): Promise<Observer> => {
  await runSql(database, `CREATE EXTENSION pg_stat_statements; CREATE ROLE ${OBSERVER} SUPERUSER LOGIN`);
  const own = new URL(database);
  own.username = OBSERVER;
  const client = new pg.Client({ connectionString: own.href });
  await client.connect();
  const queue = new Redis(redis.url);
  return {
    read: async () => {
      await sleep(REPORT_MS);
      const { rows: statements } =
        await client.query<Pick<Costs, 'statements' | 'notifications'>>(STATEMENTS);
      const { rows: totals } = await client.query<
        Pick<Costs, 'flushes' | 'logBytes'> & { readonly pid: number }
      >(TOTALS);
      const { pid, ...written } = totals[0]!;
      const [stats, commands] = [await queue.info('stats'), await queue.info('commandstats')];
      return {
        ...{ ...statements[0]!, ...written },
        databaseCpuMs: familyCpuMs(pid),
        queueCpuMs: familyCpuMs(numberIn(await queue.info('server'), /process_id:(\d+)/)),
        apiCpuMs: familyCpuMs(apis[0]!.pid() ?? 0),
        scripts: numberIn(commands, /cmdstat_evalsha:calls=(\d+)/),
        commands: numberIn(stats, /total_commands_processed:(\d+)/),
        queueBytes:
          numberIn(stats, /total_net_input_bytes:(\d+)/) + numberIn(stats, /total_net_output_bytes:(\d+)/),
      };
    },
    connections: async () => {
      const { rows } = await client.query<{ count: number }>(CONNECTIONS);
      return {
        database: rows[0]!.count,
        queue: numberIn(await queue.info('clients'), /connected_clients:(\d+)/),
      };
    },
    whenProcessed: () => whenProcessed(client),
    close: async () => {
      queue.disconnect();
      await client.end();
    },
  };
};

/** Costs of what happens for each task, and all the time. */
export interface TaskCosts {
  /** A second of one API process without requests. */
  readonly api: Costs;
  /** A second of one worker without work. */
  readonly worker: Costs;
  readonly upload: Costs;
  /** From the job to the stored result of work that takes less than a second. */
  readonly processing: Costs;
  /** Each second of longer work. */
  readonly workSecond: Costs;
  /** Bytes of a task's rows with their indexes, once it is done. */
  readonly rowBytes: number;
  /** Files of a done task. */
  readonly files: number;
  /** Of a worker with one slot that has just worked. */
  readonly connections: { readonly database: number; readonly queue: number };
}

export interface CostSizes {
  readonly images: number;
  /** Time for which idle processes are observed. */
  readonly idleS: number;
}

const WORKERS = 4;
const LONG_WORK_S = 10;

const imagesOf = (count: number, workMs?: number): BenchImage[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${index}.jpg`,
    bytes: fakeImage(`cost ${index}`, workMs),
  }));

const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  ).length;

const ROWS = `
  SELECT sum(pg_total_relation_size(name))::float8 / (SELECT count(*) FROM tasks) AS bytes
  FROM unnest(ARRAY['tasks', 'attempts', 'files_in_doubt']::regclass[]) AS name`;

const rowBytesOf = async (database: string): Promise<number> => {
  await runSql(database, 'VACUUM FULL tasks, attempts, files_in_doubt');
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ bytes: number }>(ROWS);
  await client.end();
  return rows[0]!.bytes;
};

/** @param cluster counts statements (see `COUNTING`), and has one API process and no worker; gets workers */
export const measureCosts = async (cluster: Cluster, { images, idleS }: CostSizes): Promise<TaskCosts> => {
  const observer = await observe(cluster);
  const queue = openImageQueue(cluster);
  const client = createClient(cluster.apis[0]!.origin, 1);
  /** What happens during a work, less what happens without it. @param rest of a second without it */
  const during = async (work: () => Promise<unknown>, rest?: Costs): Promise<Costs> => {
    const [before, startMs] = [await observer.read(), performance.now()];
    await work();
    const costs = without(await observer.read(), before);
    return rest ? without(costs, rest, (performance.now() - startMs) / 1000) : costs;
  };
  const idle = async (): Promise<Costs> =>
    divided(await during(() => sleep(idleS * 1000)), idleS + REPORT_MS / 1000);
  const upload = (count: number, workMs?: number) => uploadAll([client], imagesOf(count, workMs));
  const resume = async (): Promise<void> => {
    await queue.resume();
    await observer.whenProcessed();
  };
  try {
    await upload(WORKERS);
    const api = await idle();
    const withoutWorkers = await observer.connections();
    for (let index = 0; index < WORKERS; index += 1) await cluster.addWorker();
    await observer.whenProcessed();
    const all = await idle();
    await queue.pause();
    const uploads = await during(() => upload(images), all);
    const processing = divided(await during(resume, all), images);
    await queue.pause();
    await upload(WORKERS, LONG_WORK_S * 1000);
    let connected = withoutWorkers;
    const work = async (): Promise<void> => {
      await resume();
      connected = await observer.connections();
    };
    const long = without(await during(work, all), processing, WORKERS);
    return {
      api,
      worker: divided(without(all, api), WORKERS),
      upload: divided(uploads, images),
      processing,
      workSecond: divided(long, WORKERS * LONG_WORK_S),
      rowBytes: await rowBytesOf(cluster.database),
      files: countFiles(cluster.files) / (images + 2 * WORKERS),
      connections: {
        database: (connected.database - withoutWorkers.database) / WORKERS,
        queue: (connected.queue - withoutWorkers.queue) / WORKERS,
      },
    };
  } finally {
    await Promise.all([observer.close(), queue.close(), client.close()]);
  }
};
