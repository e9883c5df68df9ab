import type { System } from '../../ports/system';
import type { Submission } from './accept-upload';
import { digestText } from '../base/digest';
import type { Idempotency, Task } from '../../domain/task';
import type { JobStore } from '../base/job-store';

/** How long a key stands for its task, which may be deleted before. */
export const KEY_KEPT_MS = 24 * 3_600_000;

/** The same key came with another request. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
}

/**
 * Digests of a request's key, where it has one, and of the request.
 *
 * Defaults are filled in, so that a request which spells them out is the same; how its answer is waited for is no part
 * of it, so that a client which was cut off while it waited can come back and ask.
 */
export const idempotencyOf = async (
  { file, filename, format, options, video, webhook, idempotencyKey }: Submission,
  system: System,
): Promise<Idempotency | undefined> => {
  if (idempotencyKey === undefined) return undefined;
  const content = await file.digest();
  const request = JSON.stringify({ content, filename, format, options, video, webhook });
  return { key: await digestText(idempotencyKey, system), request: await digestText(request, system) };
};

/**
 * The task of an earlier request with the same key.
 *
 * @throws KeyReused if that request was another one
 */
export const repeatedTask = (earlier: Task | undefined, { request }: Idempotency): Task | undefined => {
  if (earlier && earlier.idempotency?.request !== request) throw new KeyReused();
  return earlier;
};

/** Which tasks were accepted under which keys. The records say it, so that a key ends with its task. */
export interface IdempotencyKeys {
  /**
   * Accepts an upload, unless that was done under its key before. Those that come at one time take turns.
   *
   * @returns the task, of now or before
   * @param accept rejects where the upload is refused: its key is then free
   * @throws KeyReused
   */
  once(idempotency: Idempotency | undefined, accept: () => Promise<Task>): Promise<Task>;
  /** Whether a task has this key. @param key as the client sent it */
  isKnown(key: string): Promise<boolean>;
}

export const createIdempotencyKeys = (
  jobs: Pick<JobStore, 'findByKey' | 'exclusively'>,
  system: System,
): IdempotencyKeys => {
  const find = async (key: string): Promise<Task | undefined> => {
    const task = await jobs.findByKey(key);
    return task && system.nowMs() - task.createdAtMs < KEY_KEPT_MS ? task : undefined;
  };
  return {
    once: (idempotency, accept) =>
      idempotency
        ? jobs.exclusively(
            idempotency.key,
            async () => repeatedTask(await find(idempotency.key), idempotency) ?? (await accept()),
          )
        : accept(),
    isKnown: async (key) => (await find(await digestText(key, system))) !== undefined,
  };
};
