import { inspector, withImageDetections, withVideoDetections } from '#shared/engine/host-engine';
import type { EngineMethods } from '#shared/ports/engine';
import type { Engine } from '#shared/ports/host-engine';
import type { Log } from '#shared/ports/system';
import { methodsBy, type RemoteCall } from '#shared/threads/calls';
import type { Loaded, EngineWorker, WorkerSettings } from '../workers/engine-worker';
import { UnreadableFile } from '#shared/domain/failure';
import { connect } from '#shared/threads/remote';
import { writtenFormats } from './written-formats';

/** Why a worker ended: `silently` is an end without an error, which a lack of memory causes. */
type DeathCause = 'gpu-lost' | 'silently' | 'error' | 'stopped';

/** The engine's worker ended, and its current job is lost. */
class WorkerDied extends Error {
  constructor(
    readonly by: DeathCause,
    detail: string,
  ) {
    super(`The engine's worker stopped: ${detail || 'no reason given'}`);
    this.name = 'WorkerDied';
  }
}

/** A running worker. */
interface Bridge {
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

/** Error messages of browsers and WASM runtimes. */
const SIGNS =
  /out of memory|bad_alloc|allocation failed|failed to allocate|memory size exceeded|invalid array length/i;

/** A worker that ends without an error most likely ran out of memory. */
const isOutOfMemory = (error: unknown): error is Error =>
  error instanceof Error &&
  ((error instanceof WorkerDied && error.by === 'silently') || SIGNS.test(error.message));

const SENTENCE =
  'The file needs more memory than this tab can use. Close other tabs, use a smaller file, or process it on a server.';

/** Replaces an out-of-memory error by a sentence for the user. Other errors are passed on unchanged. */
const sayingMemory = async <T>(log: Log, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    log.error('The engine ran out of memory', error);
    throw new UnreadableFile(SENTENCE, 'out-of-memory');
  }
};

/**
 * Runs a job again if the worker ended, because something else may have caused it; and if memory ran out, then with low
 * memory use.
 */
const retryOnce = async <T>(
  work: (lowMemory: boolean) => Promise<T>,
  onOutOfMemory: () => void,
): Promise<T> => {
  try {
    return await work(false);
  } catch (error) {
    if (isOutOfMemory(error)) onOutOfMemory();
    else if (!(error instanceof WorkerDied)) throw error;
    return work(isOutOfMemory(error));
  }
};

/** The engine in a worker, with the functions that only the page needs. */
export interface WorkerEngine extends Engine {
  load(...args: Parameters<Engine['load']>): Promise<Loaded>;
  /** Starts a new worker with the current models for all later calls. */
  renew(): void;
}

interface Workers {
  /** Calls the worker, and starts one if none is running. */
  readonly call: RemoteCall;
  /** Ends the current worker and frees its memory. */
  end(reason: string): void;
  renew(): void;
}

/** Starts one worker after another. Each start takes the reason for the end of the previous worker into account. */
const createWorkers = (log: Log, onRestart: () => void): Workers => {
  let bridge: Bridge | undefined;
  let settings = { avoidsGpu: false, avoidsOwnModels: false };
  let loads = 0;
  const start = (): Bridge => {
    const started = startWorker(settings, (cause) => {
      const wasByGpu = cause.by === 'gpu-lost';
      settings = {
        avoidsGpu: settings.avoidsGpu || wasByGpu,
        // A worker that ends while it loads models is assumed to have ended because of them.
        avoidsOwnModels: settings.avoidsOwnModels || (loads > 0 && !wasByGpu),
      };
      log.error('The engine will be started again', cause);
      if (bridge !== started) return; // replaced already
      bridge = undefined;
      onRestart();
    });
    return started;
  };
  return {
    call: async (method, args) => {
      const isLoad = method === 'load';
      if (isLoad) loads++;
      try {
        return await (bridge ??= start()).call(method, args);
      } finally {
        if (isLoad) loads--;
      }
    },
    end: (reason) => bridge?.end(reason),
    renew: () => {
      settings = { ...settings, avoidsOwnModels: false };
      bridge?.retire();
      bridge = undefined;
    },
  };
};

/**
 * Runs the engine in its own worker, so that the page stays responsive.
 *
 * A worker that ends is replaced at the next call, and its image is processed once more; for that, the image's bytes
 * are copied to the worker. After out of memory, the image is processed in parts. After a lost GPU, the next worker
 * uses none. After an end during loading, the next worker ignores added models.
 *
 * @param onRestart called when a worker has ended: the backend may have changed
 */
export const createWorkerEngine = (log: Log, onRestart: () => void = () => undefined): WorkerEngine => {
  const { call, end, renew } = createWorkers(log, onRestart);
  const worker = methodsBy<EngineMethods>(call);
  const anonymiseImage: EngineMethods['anonymiseImage'] = (job, ...rest) => {
    const run = (lowMemory: boolean): ReturnType<typeof anonymiseImage> => {
      const copy = { ...job, bytes: job.bytes.slice() };
      return worker.anonymiseImage(lowMemory ? { ...copy, lowMemory } : copy, ...rest);
    };
    // A writer that continued would keep its partial output.
    return sayingMemory(
      log,
      retryOnce(run, () => end('out of memory')),
    );
  };
  return methodsBy<WorkerEngine>(call, {
    ...inspector,
    ...withImageDetections(methodsBy<EngineMethods>(call, { anonymiseImage })),
    ...withVideoDetections({
      anonymiseVideo: (...args) => sayingMemory(log, worker.anonymiseVideo(...args)),
    }),
    get writtenFormats() {
      return writtenFormats();
    },
    takesVideo: true,
    convertsVideo: true,
    retrying: (work) => work(),
    renew,
  });
};
