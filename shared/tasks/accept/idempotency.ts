import type { System } from '../../ports/system';
import type { Submission } from './accept-upload';
import { digestText } from '../base/digest';
import type { Idempotency, Task } from '../../domain/task';
import type { TaskRecords } from '../base/task-records';

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

/** Which tasks were accepted under which keys. */
export interface IdempotencyKeys {
  /** Registers a task that an earlier run of the host accepted. */
  remember(task: Task): void;
  /**
   * Accepts an upload, unless that was done under its key before. Those that come at one time take turns.
   *
   * @returns the task, of now or before
   * @param accept rejects where the upload is refused: its key is then free
   * @throws KeyReused
   */
  once(idempotency: Idempotency | undefined, accept: () => Promise<Task>): Promise<Task>;
  /** Whether a task has this key, or is about to. @param key as the client sent it */
  isKnown(key: string): Promise<boolean>;
}

interface Holder {
  readonly id: string;
  readonly sinceMs: number;
}

/**
 * Records say which task has which key; in memory is only where to look, so that a key ends with its task, whoever
 * deletes that.
 */
export const createIdempotencyKeys = (records: TaskRecords, system: System): IdempotencyKeys => {
  /** By digest of the key, oldest first. */
  const holders = new Map<string, Holder>();
  const turns = new Map<string, Promise<unknown>>();

  const isExpired = (sinceMs: number): boolean => system.nowMs() - sinceMs >= KEY_KEPT_MS;
  const forgetExpired = (): void => {
    for (const [key, { sinceMs }] of holders) {
      if (!isExpired(sinceMs)) return;
      holders.delete(key);
    }
  };
  const remember = ({ id, createdAtMs, idempotency }: Task): void => {
    if (!idempotency) return;
    forgetExpired();
    holders.delete(idempotency.key);
    holders.set(idempotency.key, { id, sinceMs: createdAtMs });
  };
  const find = async (key: string): Promise<Task | undefined> => {
    const holder = holders.get(key);
    if (!holder || isExpired(holder.sinceMs)) return undefined;
    const task = await records.get(holder.id);
    return task?.idempotency?.key === key ? task : undefined;
  };
  const take = async (idempotency: Idempotency, accept: () => Promise<Task>): Promise<Task> => {
    const earlier = repeatedTask(await find(idempotency.key), idempotency);
    if (earlier) return earlier;
    const task = await accept();
    remember(task);
    return task;
  };
  return {
    remember,
    once: async (idempotency, accept) => {
      if (!idempotency) return accept();
      const { key } = idempotency;
      const before = turns.get(key) ?? Promise.resolve();
      const turn = before.catch(() => undefined).then(() => take(idempotency, accept));
      turns.set(key, turn);
      try {
        return await turn;
      } finally {
        if (turns.get(key) === turn) turns.delete(key);
      }
    },
    isKnown: async (key) => {
      const digest = await digestText(key, system);
      return turns.has(digest) || (await find(digest)) !== undefined;
    },
  };
};
