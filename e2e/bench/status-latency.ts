/** Response times of `/v1/status` and of a deletion while the server processes images without a pause. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '#shared/api/contract/routes';
import { startServer } from '../support/start-server';
import { percentile, sorted } from './percentile';
import { makeImage } from './images';

/** Number of images that always wait, so that the engine is never idle. */
const WAITING = 8;
const PROBES = 1_500;
const PAUSE_MS = 10;

export interface StatusLatency {
  /** Milliseconds of `GET /v1/status`. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Milliseconds of the `DELETE` of the image that is being processed. */
  readonly deletionMs: number;
  /** Images that were finished in the meantime. */
  readonly done: number;
}

const timed = async (work: () => Promise<Response>): Promise<number> => {
  const start = performance.now();
  const answer = await work();
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return performance.now() - start;
};

const listTasks = async (origin: string): Promise<{ id: string; status: string }[]> =>
  (await fetch(origin + ROUTES.listTasks.path)).json() as Promise<{ id: string; status: string }[]>;

/** Keeps images waiting until `isOver`. */
const keepBusy = async (origin: string, image: Uint8Array, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const tasks = await listTasks(origin);
    const waiting = tasks.filter(({ status }) => status === 'queued').length;
    for (let i = waiting; i < WAITING && !isOver(); i += 1) {
      const body = new FormData();
      body.append('fileobject', new Blob([image as Uint8Array<ArrayBuffer>]), 'a.jpg');
      await timed(() =>
        fetch(origin + ROUTES.uploadFile.path, { method: 'POST', headers: { 'x-is-async': 'true' }, body }),
      );
    }
    await sleep(PAUSE_MS * 10);
  }
};

const probe = async (origin: string): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let i = 0; i < PROBES; i += 1) {
    took.push(await timed(() => fetch(origin + ROUTES.getStatus.path)));
    await sleep(PAUSE_MS);
  }
  return sorted(took);
};

const deleteRunning = async (origin: string): Promise<number> => {
  for (;;) {
    const running = (await listTasks(origin)).find(({ status }) => status === 'processing');
    if (!running) continue;
    return timed(() =>
      fetch(origin + ROUTES.deleteTask.path.replace('{id}', running.id), { method: 'DELETE' }),
    );
  }
};

export const measureStatusLatency = async (): Promise<StatusLatency> => {
  const { origin, stop } = await startServer(['--save-mask', 'all']);
  let isOver = false;
  try {
    const busy = keepBusy(origin, await makeImage(1280, 720), () => isOver);
    const took = await probe(origin);
    const deletionMs = await deleteRunning(origin);
    isOver = true;
    await busy;
    const done = (await listTasks(origin)).filter(({ status }) => status === 'done').length;
    return {
      p50Ms: percentile(took, 0.5),
      p99Ms: percentile(took, 0.99),
      maxMs: percentile(took, 1),
      deletionMs,
      done,
    };
  } finally {
    isOver = true;
    await stop();
  }
};
