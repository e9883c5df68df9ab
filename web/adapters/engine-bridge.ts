import { methodsBy, type RemoteCall } from '#shared/threads/calls';
import { connect } from '#shared/threads/remote';
import type { EngineWorker, WorkerSettings } from '../workers/engine-worker';

/** Why a worker ended: `silently` is an end without an error, which a lack of memory causes. */
export type DeathCause = 'gpu-lost' | 'silently' | 'error' | 'stopped';

/** The engine's worker ended, and its current job is lost. */
export class WorkerDied extends Error {
  constructor(
    readonly by: DeathCause,
    detail: string,
  ) {
    super(`The engine's worker stopped: ${detail || 'no reason given'}`);
    this.name = 'WorkerDied';
  }
}

/** A running worker. */
export interface Bridge {
  /** Rejects with `WorkerDied` if the worker ends before it answers. */
  readonly call: RemoteCall;
  /** The same, by method. */
  readonly worker: EngineWorker;
  /** Ends the worker as soon as it has answered its current calls. It accepts no new calls. */
  readonly retire: () => void;
  /** Ends the worker and frees its memory. */
  readonly end: (reason: string) => void;
}

/**
 * Calls back when a worker ends in any way. A browser does not report a worker that was closed or ran out of memory,
 * but it releases the worker's lock.
 */
const watchLock = async (
  worker: EngineWorker,
  settings: WorkerSettings,
  onEnd: () => void,
): Promise<void> => {
  // Absent on insecure pages; errors are still reported there.
  const locks = (navigator as Partial<Navigator>).locks;
  const lockName = `veil-engine-${crypto.randomUUID()}`;
  await worker.begin(settings, locks && lockName);
  await locks?.request(lockName, onEnd);
};

/** Starts a worker. @param onDeath called once, before any call rejects; never for a retired worker */
export const startWorker = (settings: WorkerSettings, onDeath: (cause: WorkerDied) => void): Bridge => {
  const worker = new Worker(new URL('../workers/engine-worker.ts', import.meta.url), { type: 'module' });
  let isOver = false;
  /** @returns false if the worker had already ended */
  const stop = (): boolean => {
    if (isOver) return false;
    isOver = true;
    worker.terminate();
    return true;
  };
  const died = (by: DeathCause, detail: string): void => {
    if (!stop()) return;
    const cause = new WorkerDied(by, detail);
    onDeath(cause);
    calls.end(cause);
  };
  const calls = connect(worker);
  /** Apart from the work: the worker may be idle although it may still lose its GPU. */
  const watch = methodsBy<EngineWorker>(connect(worker).call);
  worker.addEventListener('error', ({ message }) => died('error', message));
  watchLock(watch, settings, () => died('silently', 'it ended')).catch((cause: unknown) =>
    died('error', String(cause)),
  );
  void watch.gpuLoss().then((detail) => died('gpu-lost', detail));
  return {
    call: calls.call,
    worker: methodsBy<EngineWorker>(calls.call),
    retire: () => void calls.idle().then(stop),
    end: (reason) => died('stopped', reason),
  };
};
