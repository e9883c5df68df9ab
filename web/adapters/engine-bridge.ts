import { releaseProxy, wrap, type Remote } from 'comlink';
import { unlessFaulted } from '#shared/engine/runtime/unless-faulted';
import type { EngineWorker, WorkerSettings } from '../workers/engine-worker';
import { GPU_LOST } from './gpu-lost';

/** The engine's worker ended, and its current job is lost. */
export class WorkerDied extends Error {
  constructor(reason: string) {
    super(`The engine's worker stopped: ${reason || 'no reason given'}`);
    this.name = 'WorkerDied';
  }

  /** Whether the next worker should not use the GPU. */
  get wasByGpu(): boolean {
    return this.message.includes(GPU_LOST);
  }
}

/** A running worker. */
export interface Bridge {
  readonly remote: Remote<EngineWorker>;
  /** Rejects if the worker ends before it responds. Calls to an ended worker would never settle. */
  readonly unlessDead: <T>(answer: Promise<T>) => Promise<T>;
  /** Ends the worker as soon as its current calls have settled. It accepts no new calls. */
  readonly retire: () => void;
  /** Ends the worker and frees its memory. */
  readonly end: (reason: string) => void;
}

/**
 * Calls back when a worker ends in any way. A browser does not report a worker that was closed or ran out of memory,
 * but it releases the worker's lock.
 */
const watchLock = async (
  remote: Remote<EngineWorker>,
  settings: WorkerSettings,
  onEnd: () => void,
): Promise<void> => {
  // Absent on insecure pages; errors are still reported there.
  const locks = (navigator as Partial<Navigator>).locks;
  const lockName = `veil-engine-${crypto.randomUUID()}`;
  await remote.begin(settings, locks && lockName);
  await locks?.request(lockName, onEnd);
};

/** Counts pending calls, and calls back when none is left. */
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

/** Starts a worker. @param onDeath called once, before any call rejects; never for a retired worker */
export const startWorker = (settings: WorkerSettings, onDeath: (cause: WorkerDied) => void): Bridge => {
  const worker = new Worker(new URL('../workers/engine-worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<EngineWorker>(worker);
  const tally = createTally();
  let isOver = false;
  /** @returns false if the worker had already ended */
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
