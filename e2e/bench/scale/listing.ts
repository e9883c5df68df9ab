/** Cost of the task list. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Libsql from 'libsql';
import { ROUTES } from '#shared/api/contract/routes';
import { PROBES } from '../../../server/http/serve-probes';
import type { ClusterProgram } from '../../../server/testing/cluster/build-cluster';
import type { Cluster } from '../../../server/testing/cluster/cluster';
import { fakeImage } from '../../../server/testing/cluster/fake-images';
import { createKeptProcess } from '../../../server/testing/cluster/kept-process';
import { freePort } from '../../../server/testing/services/free-port';
import { runSql } from '../../../server/testing/services/postgres';
import { createClient, type Answer, type Client } from './client';

const POLL_MS = 100;
const PROBE_PAUSE_MS = 5;
const LIST = ROUTES.listTasks.path;

export interface Listing {
  /** What was requested. */
  readonly name: string;
  readonly tasks: number;
  /** All answers together. */
  readonly bytes: number;
  readonly ms: number;
  /** The slowest of the answers. */
  readonly longestMs: number;
  /** The slowest `GET /v1/status` meanwhile. */
  readonly statusMs: number;
}

/** Measures `GET /v1/status` until a work has ended. @returns the longest time */
const whileProbing = async (client: Client, work: () => Promise<void>): Promise<number> => {
  let [isOver, longestMs] = [false, 0];
  const probe = async (): Promise<void> => {
    for (; !isOver; await sleep(PROBE_PAUSE_MS)) {
      longestMs = Math.max(longestMs, (await client.get(ROUTES.getStatus.path)).ms);
    }
  };
  const probing = probe();
  await work().finally(() => (isOver = true));
  await probing;
  return longestMs;
};

const PAGES = [100, 1_000] as const;

const measureLists = async (origin: string): Promise<readonly Listing[]> => {
  const [client, prober] = [createClient(origin, 1), createClient(origin, 1)];
  const read = async (name: string, first: string): Promise<Listing> => {
    const answers: Omit<Answer, 'text'>[] = [];
    let tasks = 0;
    const statusMs = await whileProbing(prober, async () => {
      for (let path: string | undefined = first; path !== undefined; path = answers.at(-1)?.next) {
        const { text, ...answer } = await client.get(path);
        answers.push(answer);
        tasks += (JSON.parse(text) as unknown[]).length;
      }
    });
    const sum = (of: 'ms' | 'bytes'): number => answers.reduce((total, answer) => total + answer[of], 0);
    const longestMs = Math.max(...answers.map(({ ms }) => ms));
    return { name, tasks, bytes: sum('bytes'), ms: sum('ms'), longestMs, statusMs };
  };
  try {
    await client.get(`${LIST}?limit=1`);
    const listings = [await read('whole list', LIST)];
    for (const limit of PAGES) listings.push(await read(`pages of ${limit}`, `${LIST}?limit=${limit}`));
    return listings;
  } finally {
    await Promise.all([client.close(), prober.close()]);
  }
};

/** Uploads an image and waits until it is processed: its record is then copied. */
const processOne = async (origin: string): Promise<void> => {
  const client = createClient(origin, 1);
  await client.upload(fakeImage('to be copied', 0), 'street-0001.jpg');
  while (!(await client.get(LIST)).text.includes('"done"')) await sleep(POLL_MS);
  await client.close();
};

/** Copies the only task. */
export const COPY_IN_POSTGRES = (copies: number): string => `
  INSERT INTO tasks (id, record, kind, status, attempts, ended_at_ms, settings, folders)
  SELECT copy, jsonb_set(record::jsonb, '{id}', to_jsonb(copy)), kind, status, attempts, ended_at_ms, settings, folders
  FROM (SELECT *, gen_random_uuid()::text AS copy FROM tasks, generate_series(1, ${copies})) AS copies`;

/** @param cluster with a worker @param tasks number of tasks in the list */
export const measureClusterLists = async (cluster: Cluster, tasks: number): Promise<readonly Listing[]> => {
  const { origin } = cluster.apis[0]!;
  await processOne(origin);
  await runSql(cluster.database, COPY_IN_POSTGRES(tasks - 1));
  await runSql(cluster.database, 'ANALYZE tasks');
  return measureLists(origin);
};

const COPY_IN_SQLITE = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
  INSERT INTO tasks (id, record)
  SELECT copy, json_set(record, '$.id', copy)
  FROM (SELECT record, printf('00000000-0000-4000-8000-%012d', n) AS copy FROM tasks, numbers)`;

interface EmbeddedSteps<T> {
  /** Uses the API before the database is changed. */
  prepare(origin: string): Promise<void>;
  /** Changes the database while the server is stopped. */
  change(path: string): void;
  measure(origin: string): Promise<T>;
}

/** Runs a server without a role, with one worker. */
export const withEmbeddedServer = async <T>(
  { product, fakeRoot }: ClusterProgram,
  { prepare, change, measure }: EmbeddedSteps<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-bench-'));
  const port = await freePort();
  const output = join(folder, 'output');
  const folders = ['--input', join(folder, 'input'), '--output', output];
  const server = createKeptProcess({
    name: 'server',
    origin: `http://127.0.0.1:${port}`,
    args: [product, fakeRoot(0), '--port', String(port), '--workers', '1', ...folders],
    env: process.env,
    logPath: join(folder, 'server.log'),
  });
  const start = (): Promise<void> => {
    server.start();
    return server.answers(PROBES.readiness);
  };
  try {
    await start();
    await prepare(server.origin);
    await server.terminate();
    change(join(output, 'veil.sqlite'));
    await start();
    return await measure(server.origin);
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Copies the only task in the database of a server without a role. */
export const copyInSqlite = (path: string, copies: number): void => {
  const database = new Libsql(path);
  database.prepare(COPY_IN_SQLITE).run(copies);
  database.close();
};

/** The same on a server without a role. */
export const measureEmbeddedLists = (program: ClusterProgram, tasks: number): Promise<readonly Listing[]> =>
  withEmbeddedServer(program, {
    prepare: processOne,
    change: (path) => copyInSqlite(path, tasks - 1),
    measure: measureLists,
  });
