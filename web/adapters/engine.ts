import { proxy, transfer, type Remote } from 'comlink';
import type { Engine, RenderFiles, VideoFiles } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { EngineWorker, Loaded } from '../workers/engine-worker';
import type { FilesTicket } from '../workers/video-files';
import { startWorker, WorkerDied, type Bridge } from './engine-bridge';
import { offerVideoFiles } from './offer-video-files';
import { isOutOfMemory, sayingMemory } from './out-of-memory';

/** Rejects with the signal's reason. Removes the listener when `until` settles, because one signal serves many jobs. */
const aborted = (signal: AbortSignal, until: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until });
  });

const moved = (bytes: Uint8Array): Transferable[] => [bytes.buffer as ArrayBuffer];

/**
 * Runs a job again if the worker ended, because something else may have caused it; and if memory ran out, then with low
 * memory use.
 */
const retryOnce = async <T>(
  work: (sparesMemory: boolean) => Promise<T>,
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

/** Offers a video's files to the worker while it processes the video. */
const withOffer = async <T>(
  files: VideoFiles | RenderFiles,
  work: (ticket: FilesTicket) => Promise<T>,
): Promise<T> => {
  const offer = offerVideoFiles(files);
  try {
    return await work(transfer(offer.ticket, [offer.ticket.port]));
  } catch (error) {
    throw offer.fault() ?? error;
  } finally {
    offer.close(); // not before: a worker that waits for bytes would wait for ever
  }
};

/**
 * Reports progress to `onProgress` only while the work runs.
 *
 * Progress and result use separate channels, so the last report can arrive after the result.
 */
const whileRunning = async <P, T>(
  onProgress: (progress: P) => void,
  work: (report: (progress: P) => void) => Promise<T>,
): Promise<T> => {
  let isRunning = true;
  const report = (progress: P): void => {
    if (isRunning) onProgress(progress);
  };
  try {
    return await work(proxy(report));
  } finally {
    isRunning = false;
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
  call<T>(work: (remote: Remote<EngineWorker>) => Promise<T>): Promise<T>;
  /** Like `call`, for loading models: a worker that ends during it is assumed to have ended because of the models. */
  callToLoad: Workers['call'];
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
      settings = {
        avoidsGpu: settings.avoidsGpu || cause.wasByGpu,
        avoidsOwnModels: settings.avoidsOwnModels || (loads > 0 && !cause.wasByGpu),
      };
      log.error('The engine will be started again', cause);
      if (bridge !== started) return; // replaced already
      bridge = undefined;
      onRestart();
    });
    return started;
  };
  const call: Workers['call'] = (work) => {
    const current = (bridge ??= start());
    return current.unlessDead(work(current.remote));
  };
  return {
    call,
    callToLoad: async (work) => {
      loads++;
      try {
        return await call(work);
      } finally {
        loads--;
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

type Abortable = <T>(
  signal: AbortSignal,
  work: (remote: Remote<EngineWorker>, id: number) => Promise<T>,
) => Promise<T>;

/** Settles as soon as the signal aborts: the worker may need to finish a step before it stops. */
const abortableBy = (call: Workers['call']): Abortable => {
  let lastId = 0;
  return async (signal, work) => {
    signal.throwIfAborted();
    const id = ++lastId;
    const settled = new AbortController();
    const result = call((remote) => {
      const abort = (): unknown => remote.abort(id);
      signal.addEventListener('abort', abort, { once: true, signal: settled.signal });
      return work(remote, id);
    });
    try {
      return await Promise.race([result, aborted(signal, settled.signal)]);
    } finally {
      settled.abort();
    }
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
  const { call, callToLoad, end, renew } = createWorkers(log, onRestart);
  const abortable = abortableBy(call);
  /** Lends a video's files to a job of the worker. */
  const onVideo = <P, T>(
    files: VideoFiles | RenderFiles,
    onProgress: (progress: P) => void,
    signal: AbortSignal,
    work: (
      remote: Remote<EngineWorker>,
      id: number,
      ticket: FilesTicket,
      report: (progress: P) => void,
    ) => Promise<T>,
  ): Promise<T> =>
    whileRunning(onProgress, (report) =>
      abortable(signal, (remote, id) => withOffer(files, (ticket) => work(remote, id, ticket, report))),
    );

  return {
    convertsVideo: true,
    load: (classes, onProgress) =>
      whileRunning(onProgress, (report) => callToLoad((remote) => remote.load([...classes], report))),
    renew,
    anonymiseImage: (job, onProgress, signal) =>
      sayingMemory(
        log,
        whileRunning(onProgress, (report) =>
          retryOnce(
            (sparesMemory) =>
              abortable(signal, (remote, id) =>
                remote.anonymiseImage(id, sparesMemory ? { ...job, sparesMemory } : job, report),
              ),
            // A writer that continued would keep its partial output.
            () => end('out of memory'),
          ),
        ),
      ),
    anonymiseVideo: (job, files, onProgress, signal) =>
      sayingMemory(
        log,
        onVideo(files, onProgress, signal, (remote, id, ticket, report) =>
          remote.anonymiseVideo(id, job, ticket, report),
        ),
      ),
    renderVideo: (job, files, onProgress, signal) =>
      onVideo(files, onProgress, signal, (remote, id, ticket, report) =>
        remote.renderVideo(id, job, ticket, report),
      ),
    outlineObjects: (bytes, ...rest) =>
      call((remote) => remote.outlineObjects(transfer(bytes, moved(bytes)), ...rest)),
    renderImage: (bytes, ...rest) =>
      call((remote) => remote.renderImage(transfer(bytes, moved(bytes)), ...rest)),
    renderMask: (...args) => call((remote) => remote.renderMask(...args)),
  };
};
