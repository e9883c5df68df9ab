import { FailureError } from '#shared/domain/failure';
import { INTERRUPTED, MAX_ATTEMPTS } from '#shared/tasks/run/outcome';
import type { Engine } from '#shared/ports/engine';
import { createWeightedQueue } from '#shared/tasks/base/weighted-queue';

/** The engine process has ended while it worked on a call. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';

  /** @param isBlameless whether the calls are known not to be the reason */
  constructor(
    message: string,
    readonly isBlameless = false,
  ) {
    super(message);
  }
}

/** Weight of work that runs alone, beside the 1 of other work. */
const ALONE = 2 ** 32;

/** Work that is without blame so often is to blame. */
const MAX_EXCUSES = 30;

/**
 * Creates `Engine.retrying` for an engine that may end.
 *
 * All work that ran when the engine ended runs again, one piece at a time: the piece that ends the engine shows itself
 * when it does so while it runs alone. Only that piece fails, after as many attempts as a task has (decision 5). Pieces
 * that have done so once run after all others.
 */
export const createRetrying = (): Engine['retrying'] => {
  const turns = createWeightedQueue({ capacity: ALONE });
  return async (work, signal) => {
    let isAlone = false;
    let excuses = 0;
    for (let failures = 0; failures < MAX_ATTEMPTS;) {
      try {
        return await turns.run(work, isAlone ? ALONE : 1, { signal, rank: failures });
      } catch (error) {
        if (!(error instanceof EngineLost)) throw error;
        if (error.isBlameless && excuses++ < MAX_EXCUSES) continue;
        if (isAlone) failures += 1;
        isAlone = true;
      }
    }
    throw new FailureError(INTERRUPTED);
  };
};
