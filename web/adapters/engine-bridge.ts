import { releaseProxy, wrap, type Remote } from 'comlink';
import { unlessFaulted } from '#shared/pipeline/unless-faulted';
import type { EngineWorker } from '../workers/engine-worker';
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
  /** Ends it, with all memory that it has. */
  readonly end: (reason: string) => void;
}

/**
 * Calls back when a worker ends in whatever way: a browser says nothing of one that was closed or ran out of memory,
 * but it frees the lock that the worker held.
 */
const watchLock = async (
  remote: Remote<EngineWorker>,
  avoidsGpu: boolean,
  onEnd: () => void,
): Promise<void> => {
  // Absent on pages that are not secure; errors are still told then.
  const locks = (navigator as Partial<Navigator>).locks;
  const lockName = `veil-engine-${crypto.randomUUID()}`;
  await remote.begin({ avoidsGpu, ...(locks ? { lockName } : {}) });
  await locks?.request(lockName, onEnd);
};

/** Starts a worker. @param onDeath called once, before anything rejects */
export const startWorker = (avoidsGpu: boolean, onDeath: (cause: WorkerDied) => void): Bridge => {
  const worker = new Worker(new URL('../workers/engine-worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<EngineWorker>(worker);
  let end: Bridge['end'] = () => undefined;
  const died = new Promise<never>((_, reject) => {
    let isDead = false;
    end = (reason: string): void => {
      if (isDead) return;
      isDead = true;
      const cause = new WorkerDied(reason);
      remote[releaseProxy]();
      worker.terminate();
      onDeath(cause);
      reject(cause);
    };
    worker.addEventListener('error', ({ message }) => end(message));
    watchLock(remote, avoidsGpu, () => end('it ended')).catch((cause: unknown) => end(String(cause)));
  });
  return { remote, unlessDead: unlessFaulted(died), end };
};
