/** Time until the next file starts when the task of the current file is deleted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '#shared/api/contract/routes';
import type { ServerProcess } from '../support/server-process';
import { makeImage } from './images';
import { makeClip } from './video-clip';

const LARGE_PX = [8_000, 4_000] as const;
const FRAMES = 250;
const FRAME_PX = [1280, 720] as const;
const LOOK_PAUSE_MS = 2;
/** By then the engine is in its longest step, not in its first. */
const IN_WORK_MS = 1_000;

const upload = async (origin: string, bytes: Uint8Array): Promise<string> => {
  const body = new FormData();
  body.append('fileobject', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'a');
  const headers = { 'x-is-async': 'true' };
  const answer = await fetch(origin + ROUTES.uploadFile.path, { method: 'POST', headers, body });
  return ((await answer.json()) as { id: string }).id;
};

const hasBegun = async (origin: string, id: string): Promise<boolean> => {
  const answer = await fetch(origin + ROUTES.getTask.path.replace('{id}', id));
  return ((await answer.json()) as { status: string }).status !== 'queued';
};
const begun = async (origin: string, id: string): Promise<void> => {
  while (!(await hasBegun(origin, id))) await sleep(LOOK_PAUSE_MS);
};

export interface Deletion {
  /** From the request to its response. */
  readonly answerMs: number;
  /** From the request to the start of the next file. */
  readonly placeMs: number;
}

const measure = async (origin: string, bytes: Uint8Array, small: Uint8Array): Promise<Deletion> => {
  const id = await upload(origin, bytes);
  const next = await upload(origin, small);
  await begun(origin, id);
  await sleep(IN_WORK_MS);
  const start = performance.now();
  await fetch(origin + ROUTES.deleteTask.path.replace('{id}', id), { method: 'DELETE' });
  const answerMs = performance.now() - start;
  await begun(origin, next);
  const placeMs = performance.now() - start;
  await fetch(origin + ROUTES.deleteTask.path.replace('{id}', next), { method: 'DELETE' });
  return { answerMs, placeMs };
};

/** @param server running, with loaded models, one worker and without tasks */
export const measureDeletions = async ({
  origin,
}: ServerProcess): Promise<Readonly<Record<string, Deletion>>> => {
  const small = await makeImage(640, 360);
  return {
    [`image of ${LARGE_PX.join(' × ')}`]: await measure(origin, await makeImage(...LARGE_PX), small),
    [`video of ${FRAME_PX.join(' × ')}`]: await measure(origin, await makeClip(FRAMES, FRAME_PX), small),
  };
};
