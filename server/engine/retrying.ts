import { FailureError } from '#shared/domain/failure';
import { INTERRUPTED, MAX_ATTEMPTS } from '#shared/tasks/run/outcome';
import type { Engine } from '#shared/ports/engine';

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

interface TurnRequest {
  /** Whether nothing else may run meanwhile. */
  readonly isAlone: boolean;
  /** Requests with a higher one wait until no others do. */
  readonly suspicion: number;
}

/** Lets work run side by side, or one piece of work alone. */
interface Turns {
  /**
   * Waits for a turn, in the order of the requests among those of the same suspicion.
   *
   * @returns ends the turn
   * @throws the reason of the signal
   */
  take(request: TurnRequest, signal: AbortSignal): Promise<() => void>;
}

interface Waiting extends TurnRequest {
  readonly begin: () => void;
}

/** A lock with shared and exclusive turns. */
export const createTurns = (): Turns => {
  const waiting: Waiting[] = [];
  let running = 0;
  let isOneAlone = false;

  const mayBegin = ({ isAlone }: Waiting): boolean => (isAlone ? running === 0 : !isOneAlone);
  const beginNext = (): void => {
    for (let next = waiting[0]; next && mayBegin(next); next = waiting[0]) {
      waiting.shift();
      running += 1;
      isOneAlone = next.isAlone;
      next.begin();
    }
  };
  const end = (): void => {
    running -= 1;
    isOneAlone = false;
    beginNext();
  };
  return {
    take: (request, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const leave = (): void => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason as Error);
          beginNext();
        };
        const one: Waiting = {
          ...request,
          begin: () => {
            signal.removeEventListener('abort', leave);
            resolve(end);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        const place = waiting.findIndex(({ suspicion }) => suspicion > one.suspicion);
        waiting.splice(place === -1 ? waiting.length : place, 0, one);
        beginNext();
      }),
  };
};

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
  const turns = createTurns();
  const runOnce = async <T>(
    work: () => Promise<T>,
    request: TurnRequest,
    signal: AbortSignal,
  ): Promise<T> => {
    const end = await turns.take(request, signal);
    try {
      return await work();
    } finally {
      end();
    }
  };
  return async (work, signal) => {
    let isAlone = false;
    let excuses = 0;
    for (let failures = 0; failures < MAX_ATTEMPTS;) {
      try {
        return await runOnce(work, { isAlone, suspicion: failures }, signal);
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
