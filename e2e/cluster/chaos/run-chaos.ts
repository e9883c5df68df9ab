import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { seededRandom } from '#shared/testing/rasters';
import type { Intervals } from '../../../server/cluster/cluster-tasks';
import type { ClusterProgram } from '../../../server/testing/cluster/build-cluster';
import { type Cluster, type ServicePrograms, startCluster } from '../../../server/testing/cluster/cluster';
import type { KeptProcess } from '../../../server/testing/cluster/kept-process';
import { loggedErrors } from '../../../server/testing/cluster/logged-errors';
import { findStrayFiles, hashOfResult, whenAllEnded } from './outcome';
import { makeReadOnly } from '../../../server/testing/read-only-folder';
import { createSchedule, type Fault, type FaultCounts, type TimedFault } from './schedule';
import { type ChaosFile, type ClientFigures, createFigures, uploadUntilAcknowledged } from './upload';

export interface ChaosPlan {
  readonly seed: number;
  readonly files: readonly ChaosFile[];
  readonly apis: number;
  readonly workers: number;
  readonly faults: FaultCounts;
  /** Between two faults. */
  readonly everyMs: number;
  /** Undefined: the models of the program are used. */
  readonly fakeWorkMs?: number;
  readonly intervals?: Intervals;
  /** After the last fault, all tasks must end within this time. */
  readonly settleMs: number;
  readonly program: ClusterProgram;
  readonly services: ServicePrograms;
  /** Hashes of the results of one embedded server, in the order of the files. */
  readonly expected: readonly string[];
}

export interface ChaosReport {
  readonly seconds: number;
  readonly figures: ClientFigures;
  /** Faults that could not be produced here. */
  readonly skipped: readonly string[];
  /** Claims that ended without a heartbeat, and attempts beyond the first. */
  readonly lostHeartbeats: number;
  readonly attempts: number;
  /** What must not happen; empty if all guarantees were kept. */
  readonly violations: readonly string[];
  /** Of all processes. */
  readonly errors: readonly string[];
}

const CLIENTS = 6;

const restart = async (process: KeptProcess | undefined, downMs: number): Promise<void> => {
  await process?.kill();
  await sleep(downMs);
  process?.start();
};

/** Produces faults. Those that last run next to the later ones. */
const createFaults = (cluster: Cluster, skipped: string[]) => {
  const lasting: Promise<void>[] = [];
  const during = (ms: number, end: () => void): void => void lasting.push(sleep(ms).then(end));
  const apply = async (fault: Fault, downMs: number): Promise<void> => {
    switch (fault.kind) {
      case 'kill-api':
        return restart(cluster.apis[fault.index], downMs);
      case 'kill-worker':
        return restart(cluster.workers[fault.index], downMs);
      case 'kill-redis':
        await cluster.redis.kill();
        await sleep(downMs);
        return cluster.redis.start();
      case 'kill-postgres':
        await cluster.postgres.kill();
        await sleep(downMs);
        return cluster.postgres.restart();
      case 'flush-redis': {
        const redis = new Redis(cluster.redis.url);
        await redis.flushall();
        redis.disconnect();
        return;
      }
      case 'suspend-worker':
        cluster.workers[fault.index]?.suspend();
        return during(fault.forMs, () => cluster.workers[fault.index]?.resume());
      case 'files-read-only': {
        const end = makeReadOnly(cluster.files);
        if (end) during(fault.forMs, end);
        else skipped.push('The file store was not read-only for a while: this user may not mount.');
      }
    }
  };
  return { apply, ended: () => Promise.all(lasting) };
};

/** Uploads all files, spread over a time. @returns ids in the order of the files */
const uploadAll = async (
  { files, seed, apis }: ChaosPlan,
  cluster: Cluster,
  durationMs: number,
  figures: ClientFigures,
): Promise<readonly string[]> => {
  const random = seededRandom(seed + 1);
  const ids: string[] = [];
  const startMs = performance.now();
  const origin = (): string => cluster.apis[Math.floor(random() * apis)]?.origin ?? '';
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const dueMs = startMs + (durationMs * index) / files.length;
      await sleep(Math.max(0, dueMs - performance.now()));
      ids[index] = await uploadUntilAcknowledged(files[index]!, randomUUID(), origin, figures);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return ids;
};

const countOf = async ({ workers: [worker] }: Cluster, metric: string): Promise<number> => {
  const text = await (await fetch(`${worker?.origin}/metrics`)).text();
  return Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
};

/** @returns what is wrong with tasks and results */
const checkResults = async (
  { files, expected }: ChaosPlan,
  origin: string,
  ids: readonly string[],
  tasks: readonly { readonly id: string; readonly status: string }[],
): Promise<readonly string[]> => {
  const violations: string[] = [];
  const statuses = new Map(tasks.map(({ id, status }) => [id, status]));
  if (new Set(ids).size !== files.length) violations.push('Two files have one id.');
  if (tasks.length !== files.length) violations.push(`${files.length} files became ${tasks.length} tasks.`);
  for (const [index, id] of ids.entries()) {
    const status = statuses.get(id);
    if (status !== 'done') violations.push(`File ${index} was acknowledged and is ${status ?? 'lost'}.`);
    const isVideo = files[index]?.contentType.startsWith('video/') ?? false;
    const hash = await hashOfResult(origin, id, isVideo);
    if (hash !== expected[index]) violations.push(`The result of file ${index} differs: ${hash}`);
  }
  return violations;
};

/**
 * Runs a cluster while its processes and services are killed, and checks at the end that nothing was lost, done twice
 * or left over.
 */
export const runChaos = async (plan: ChaosPlan, print: (line: string) => void): Promise<ChaosReport> => {
  const startMs = performance.now();
  const schedule = createSchedule(plan.seed, plan, plan.faults);
  const cluster = await startCluster({ ...plan, apis: Array.from({ length: plan.apis }, () => []) });
  const skipped: string[] = [];
  const figures = createFigures();
  const faults = createFaults(cluster, skipped);
  let isOver = false;
  const applyAll = async (timed: readonly TimedFault[]): Promise<void> => {
    for (const [index, { fault, downMs }] of timed.entries()) {
      if (isOver) return;
      const nextMs = performance.now() + plan.everyMs;
      print(`${index + 1}/${timed.length} ${Object.values(fault).join(' ')}`);
      await faults.apply(fault, downMs);
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
  const applied = applyAll(schedule);
  applied.catch(() => undefined);
  try {
    const ids = await uploadAll(plan, cluster, schedule.length * plan.everyMs * 0.9, figures);
    await applied;
    print('All files are acknowledged.');
    await faults.ended();
    await Promise.all([...cluster.apis, ...cluster.workers].map((each) => each.answers('/readyz')));
    const origin = cluster.apis.at(-1)?.origin ?? '';
    const tasks = await whenAllEnded(origin, plan.settleMs);
    const [lostHeartbeats, attempts] = [
      await countOf(cluster, 'veil_work_lost_heartbeats'),
      await countOf(cluster, 'veil_work_attempts'),
    ];
    const stray = await findStrayFiles(cluster);
    const crashed = [...cluster.apis, ...cluster.workers].filter(({ crashes }) => crashes() > 0);
    return {
      seconds: (performance.now() - startMs) / 1000,
      figures,
      skipped,
      lostHeartbeats,
      attempts,
      errors: loggedErrors([...cluster.apis, ...cluster.workers]),
      violations: [
        ...(await checkResults(plan, origin, ids, tasks)),
        ...stray.map((path) => `A file is left over: ${path}`),
        ...crashed.map(({ name, output }) => `${name} ended by itself:\n${output().slice(-3000)}`),
        ...(figures.silent > 0 ? [`${figures.silent} requests were not answered in time.`] : []),
      ],
    };
  } catch (error) {
    const logged = loggedErrors([...cluster.apis, ...cluster.workers]);
    throw new Error(['The run was aborted.', String(error), ...logged].join('\n'), { cause: error });
  } finally {
    isOver = true;
    await applied.catch(() => undefined);
    await faults.ended();
    await cluster.stop();
  }
};
