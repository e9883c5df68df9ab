/** Uploads and lists while many tasks wait. */
import { jobOf } from '#shared/tasks/base/job-store';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ROUTES } from '#shared/api/contract/routes';
import { openQueue } from '../../../server/adapters/queue/open-queue';
import type { ClusterProgram } from '../../../server/testing/cluster/build-cluster';
import type { Cluster } from '../../../server/testing/cluster/cluster';
import { fakeImage } from '../../../server/testing/cluster/fake-images';
import { runSql } from '../../../server/testing/services/postgres';
import { recordLog } from '../../../server/testing/recorded-log';
import { sorted } from '../percentile';
import { createClient, PARALLEL } from './client';
import { COPY_IN_POSTGRES, copyInSqlite, withEmbeddedServer } from './listing';
import { measureUploads } from './uploads';

const PAGES = 200;
const PAGE = `${ROUTES.listTasks.path}?limit=100`;
/** Clients that upload in parallel. */
const CLIENTS = [4, PARALLEL] as const;
/** Uploads before those that are measured. */
const WARM_UP = 100;
const copiesFor = (tasks: number, uploads: number): number =>
  tasks - CLIENTS.length * (uploads + WARM_UP) - 1;
/** Longer than the measurement: the only worker of a server without a role is busy, as all others would be. */
const BUSY_MS = 3_600_000;

/** In ms, ascending. */
export interface WaitingTimes {
  /** For each number of clients that upload in parallel, the rate and the times. */
  readonly uploads: readonly {
    readonly parallel: number;
    readonly perSecond: number;
    readonly ms: readonly number[];
  }[];
  readonly pageMs: readonly number[];
  /** Memory of the queue for a waiting job; undefined without a queue. */
  readonly jobBytes?: number;
}

const measurePages = async (origin: string): Promise<readonly number[]> => {
  const client = createClient(origin, 1);
  const times: number[] = [];
  let path: string | undefined = PAGE;
  for (let page = 0; page < PAGES; page += 1) {
    const { ms, next }: Awaited<ReturnType<typeof client.get>> = await client.get(path ?? PAGE);
    times.push(ms);
    path = next;
  }
  await client.close();
  return sorted(times);
};

const measure = async (origin: string, uploads: number): Promise<WaitingTimes> => {
  const measured: WaitingTimes['uploads'][number][] = [];
  for (const parallel of CLIENTS) {
    const { times, seconds } = await measureUploads({ apis: [{ origin }] }, WARM_UP, uploads, parallel);
    measured.push({ parallel, perSecond: uploads / seconds, ms: times });
  }
  return { uploads: measured, pageMs: await measurePages(origin) };
};

const uploadOne = async (origin: string, workMs?: number): Promise<void> => {
  const client = createClient(origin, 1);
  await client.upload(fakeImage('to be copied', workMs), 'street-0001.jpg');
  await client.close();
};

/** Adds jobs for all waiting tasks. @returns memory of the queue for each */
const addJobs = async ({ database, redis }: Cluster): Promise<number> => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM tasks WHERE status = 'queued'`);
  await client.end();
  const server = new Redis(redis.url);
  const usedBytes = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await server.info('memory'))?.[1]);
  const before = await usedBytes();
  const queue = await openQueue(redis.url, { log: recordLog().log });
  await queue.add(rows.map(({ id }) => jobOf(id, 'image', 1, false)));
  await queue.close();
  const bytes = ((await usedBytes()) - before) / rows.length;
  server.disconnect();
  return bytes;
};

/** @param cluster without workers @param tasks that wait after the last upload */
export const measureWaitingInCluster = async (
  cluster: Cluster,
  tasks: number,
  uploads: number,
): Promise<WaitingTimes> => {
  const { origin } = cluster.apis[0]!;
  await uploadOne(origin);
  await runSql(cluster.database, COPY_IN_POSTGRES(copiesFor(tasks, uploads)));
  await runSql(cluster.database, 'ANALYZE tasks');
  const jobBytes = await addJobs(cluster);
  return { ...(await measure(origin, uploads)), jobBytes };
};

/** The same on a server without a role. */
export const measureWaitingInServer = (
  program: ClusterProgram,
  tasks: number,
  uploads: number,
): Promise<WaitingTimes> =>
  withEmbeddedServer(program, {
    prepare: (origin) => uploadOne(origin, BUSY_MS),
    change: (path) => copyInSqlite(path, copiesFor(tasks, uploads)),
    measure: (origin) => measure(origin, uploads),
  });
