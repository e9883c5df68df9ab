import { connect, type RemoteCall } from '#shared/engine/worker/connection';
import type { EndCause } from '#shared/engine/worker/messages';
import type { EngineWorker, WorkerSettings } from '../workers/engine-worker';

/** Why a worker ended: `silently` is an end without an error, which a lack of memory causes. */
export type DeathCause = EndCause | 'silently' | 'error' | 'stopped';

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
  readonly call: RemoteCall<EngineWorker>;
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
  call: RemoteCall<EngineWorker>,
  settings: WorkerSettings,
  onEnd: () => void,
): Promise<void> => {
  // Absent on insecure pages; errors are still reported there.
  const locks = (navigator as Partial<Navigator>).locks;
  const lockName = `veil-engine-${crypto.randomUUID()}`;
  await call('begin', settings, locks && lockName);
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
    connection.end(cause);
  };
  const connection = connect<EngineWorker>(worker, died);
  const { call } = connection;
  worker.addEventListener('error', ({ message }) => died('error', message));
  watchLock(call, settings, () => died('silently', 'it ended')).catch((cause: unknown) =>
    died('error', String(cause)),
  );
  return {
    call,
    retire: () => void connection.idle().then(stop),
    end: (reason) => died('stopped', reason),
  };
};
