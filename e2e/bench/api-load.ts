/** Many uploads at once: whether any task is lost, and their cost in time and memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { ROUTES } from '#shared/api/contract/routes';
import { filePart } from '#shared/testing/conformance-steps';
import { asHttp } from '#shared/testing/multipart';
import type { ServerProcess } from '../support/server-process';
import { makeImage } from './images';
import { sorted } from './percentile';
import { residentMiB } from './resident';

const UPLOADS = 200;
const CLIENTS = 20;
/** Number of finished tasks after which memory no longer grows by loading and warm-up. */
const WARM_TASKS = 10;
const PROBE_PAUSE_MS = 20;
const LOOK_PAUSE_MS = 500;
const LIMIT_MS = 240_000;

interface TaskJson {
  readonly id: string;
  readonly status: string;
  readonly filename: string;
  readonly started_at: string | null;
}

export interface Load {
  readonly uploads: number;
  /** Answered uploads that are missing in the list, and uploads without a response. */
  readonly lost: number;
  /** Tasks that are listed twice, or that belong to no response. */
  readonly duplicated: number;
  readonly done: number;
  /** Tasks that started before a task that was accepted earlier. */
  readonly overtakes: number;
  readonly seconds: number;
  readonly uploadMs: readonly number[];
  readonly statusMs: readonly number[];
  readonly warmMiB: number;
  readonly endMiB: number;
}

const timed = async (pool: Pool, request: Parameters<Pool['request']>[0]) => {
  const start = performance.now();
  const { statusCode, body } = await pool.request(request);
  const text = await body.text();
  const ms = performance.now() - start;
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
  return { ms, text };
};

const uploadOne = (pool: Pool, image: Uint8Array, number: number) => {
  const { method, url, headers, body } = asHttp({
    method: 'POST',
    url: ROUTES.uploadFile.path,
    headers: { 'x-is-async': 'true' },
    parts: [filePart(image, `${number}.jpg`)],
  });
  return timed(pool, { method: method as 'POST', path: url, headers: { ...headers }, body: body as Buffer });
};

/**
 * Uploads with all clients in parallel; each client sends one file after another. @returns ids by file name, and times
 */
const uploadAll = async (pool: Pool, image: Uint8Array) => {
  const ids = new Map<string, string>();
  const uploadMs: number[] = [];
  const client = async (first: number): Promise<void> => {
    for (let number = first; number < UPLOADS; number += CLIENTS) {
      const { ms, text } = await uploadOne(pool, image, number);
      uploadMs.push(ms);
      ids.set(`${number}.jpg`, (JSON.parse(text) as { id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => client(first)));
  return { ids, uploadMs };
};

const listTasks = async (pool: Pool): Promise<TaskJson[]> =>
  JSON.parse((await timed(pool, { method: 'GET', path: ROUTES.listTasks.path })).text) as TaskJson[];

/** @param tasks in the order of their acceptance */
const countOvertakes = (tasks: readonly TaskJson[]): number =>
  tasks.filter(
    ({ started_at }, index) => index > 0 && (started_at ?? '') < (tasks[index - 1]?.started_at ?? ''),
  ).length;

/** @param server running, with loaded models and without tasks */
export const measureLoad = async (server: ServerProcess): Promise<Load> => {
  const pool = new Pool(server.origin, { connections: CLIENTS + 2 });
  const image = await makeImage(1280, 720);
  const statusMs: number[] = [];
  let isOver = false;
  const probe = async (): Promise<void> => {
    for (; !isOver; await sleep(PROBE_PAUSE_MS)) {
      statusMs.push((await timed(pool, { method: 'GET', path: ROUTES.getStatus.path })).ms);
    }
  };
  const start = performance.now();
  const probing = probe();
  const uploading = uploadAll(pool, image);
  let [warmMiB, tasks] = [Number.NaN, [] as TaskJson[]];
  const hasEnded = (): number => tasks.filter(({ status }) => /done|failed/.test(status)).length;
  while (hasEnded() < UPLOADS && performance.now() - start < LIMIT_MS) {
    await sleep(LOOK_PAUSE_MS);
    tasks = await listTasks(pool);
    if (Number.isNaN(warmMiB) && hasEnded() >= WARM_TASKS) warmMiB = residentMiB(server.pid());
  }
  const seconds = (performance.now() - start) / 1000;
  const { ids, uploadMs } = await uploading;
  isOver = true;
  await probing;
  await pool.close();
  const listed = new Set(tasks.map(({ id }) => id));
  const answered = new Set(ids.values());
  return {
    uploads: UPLOADS,
    lost: [...answered].filter((id) => !listed.has(id)).length + UPLOADS - answered.size,
    duplicated: tasks.length - listed.size + [...listed].filter((id) => !answered.has(id)).length,
    done: tasks.filter(({ status }) => status === 'done').length,
    overtakes: countOvertakes([...tasks].reverse()),
    seconds,
    uploadMs: sorted(uploadMs),
    statusMs: sorted(statusMs),
    warmMiB,
    endMiB: residentMiB(server.pid()),
  };
};
