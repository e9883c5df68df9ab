import type { Task } from '#shared/domain/task';
import type { System } from '#shared/ports/system';
import { KEY_KEPT_MS, repeatedTask, type IdempotencyKeys } from '#shared/tasks/accept/idempotency';
import { digestText } from '#shared/tasks/base/digest';
import type { SharedKeys } from './shared-task-store';

/** Idempotency keys of all API processes. The task records contain them. */
export const createSharedIdempotencyKeys = (
  store: SharedKeys,
  system: System,
): Pick<IdempotencyKeys, 'once' | 'isKnown'> => {
  const find = async (key: string): Promise<Task | undefined> => {
    const task = await store.findByKey(key);
    return task && system.nowMs() - task.createdAtMs < KEY_KEPT_MS ? task : undefined;
  };
  return {
    once: (idempotency, accept) =>
      idempotency
        ? store.exclusively(
            idempotency.key,
            async () => repeatedTask(await find(idempotency.key), idempotency) ?? (await accept()),
          )
        : accept(),
    isKnown: async (key) => (await find(await digestText(key, system))) !== undefined,
  };
};
