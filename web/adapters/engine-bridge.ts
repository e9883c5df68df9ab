import { releaseProxy, wrap, type Remote } from 'comlink';
import { unlessFaulted } from '#shared/engine/runtime/unless-faulted';
import type { EngineWorker, WorkerSettings } from '../workers/engine-worker';
import { GPU_LOST } from './gpu-lost';

/** The engine's worker is gone, and with it what it was working on. */
export class WorkerDied extends Error {
  constructor(reason: string) {
    super(`The engine's worker stopped: ${reason || 'no reason given'}`);
    this.name = 'WorkerDied';
  }

  /** The next one does better without the graphics processor. */
  get wasByGpu(): boolean {
    return this.message.includes(GPU_LOST);
  }
}

/** A running worker. */
export interface Bridge {
  readonly remote: Remote<EngineWorker>;
  /** Rejects when the worker dies before the answer is there: calls to a dead worker would wait for ever. */
  readonly unlessDead: <T>(answer: Promise<T>) => Promise<T>;
  /** Ends the worker as soon as it has answered what it was asked; it is asked nothing more. */
  readonly retire: () => void;
  /** Ends it, with all memory that it has. */
  readonly end: (reason: string) => void;
}

/**
 * Calls back when a worker ends in whatever way: a browser says nothing of one that was closed or ran out of memory,
 * but it frees the lock that the worker held.
 */
const watchLock = async (
  remote: Remote<EngineWorker>,
  settings: WorkerSettings,
  onEnd: () => void,
): Promise<void> => {
  // Absent on pages that are not secure; errors are still told then.
  const locks = (navigator as Partial<Navigator>).locks;
  const lockName = `veil-engine-${crypto.randomUUID()}`;
  await remote.begin(settings, locks && lockName);
  await locks?.request(lockName, onEnd);
};

/** Counts what is being waited for, and calls back when that is nothing any more. */
const createTally = (): {
  readonly counted: <T>(work: Promise<T>) => Promise<T>;
  readonly whenNothing: (then: () => void) => void;
} => {
  let pending = 0;
  let onNothing: (() => void) | undefined;
  return {
    counted: async (work) => {
      pending++;
      try {
        return await work;
      } finally {
        if (--pending === 0) onNothing?.();
      }
    },
    whenNothing: (then) => {
      if (pending === 0) then();
      else onNothing = then;
    },
  };
};

/** Starts a worker. @param onDeath called once, before anything rejects; never for one that was retired */
export const startWorker = (settings: WorkerSettings, onDeath: (cause: WorkerDied) => void): Bridge => {
  const worker = new Worker(new URL('../workers/engine-worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<EngineWorker>(worker);
  const tally = createTally();
  let isOver = false;
  /** @returns whether it was not over before */
  const stop = (): boolean => {
    if (isOver) return false;
    isOver = true;
    remote[releaseProxy]();
    worker.terminate();
    return true;
  };
  let end: Bridge['end'] = () => undefined;
  const died = new Promise<never>((_, reject) => {
    end = (reason: string): void => {
      if (!stop()) return;
      const cause = new WorkerDied(reason);
      onDeath(cause);
      reject(cause);
    };
    worker.addEventListener('error', ({ message }) => end(message));
    watchLock(remote, settings, () => end('it ended')).catch((cause: unknown) => end(String(cause)));
  });
  const unlessDead = unlessFaulted(died);
  return {
    remote,
    unlessDead: (answer) => tally.counted(unlessDead(answer)),
    retire: () => tally.whenNothing(stop),
    end,
  };
};
