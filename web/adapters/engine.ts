import { proxy, transfer, type Remote } from 'comlink';
import type { Engine, RenderFiles, VideoFiles } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { EngineWorker, Loaded } from '../workers/engine-worker';
import type { FilesTicket } from '../workers/video-files';
import { startWorker, WorkerDied, type Bridge } from './engine-bridge';
import { offerVideoFiles } from './offer-video-files';
import { isOutOfMemory, sayingMemory } from './out-of-memory';

/** Rejects with the signal's reason. The listener goes with `until`, so that a signal for many jobs stays light. */
const aborted = (signal: AbortSignal, until: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until });
  });

const moved = (bytes: Uint8Array): Transferable[] => [bytes.buffer as ArrayBuffer];

/**
 * Does it once more where the worker died, as something else than this job may have taken it down; and where memory did
 * not suffice, with less of it.
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

/** Offers a video's files for as long as the worker works on it. */
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

/** The engine, and what is special about one in a worker of the page. */
export interface WorkerEngine extends Engine {
  load(...args: Parameters<Engine['load']>): Promise<Loaded>;
  /** Has what is asked from now on done by a new worker, with the models as they are then. */
  renew(): void;
}

interface Workers {
  /** Asks the worker; a first one, or one after a death, is started for it. */
  call<T>(work: (remote: Remote<EngineWorker>) => Promise<T>): Promise<T>;
  /** The same for loading models: what dies of that, dies of the models. */
  callToLoad: Workers['call'];
  /** Ends the worker that there is, with all memory that it has. */
  end(reason: string): void;
  renew(): void;
}

/** One worker after another, each with what was learnt from the end of the one before. */
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

/**
 * The engine in a worker of its own, so that the page stays quick.
 *
 * A worker that dies is replaced at the next call, and a picture that it was working on is begun once more; for that,
 * a picture's bytes are copied to the worker. One that has no memory left is replaced too, and its picture searched
 * piece by piece. One whose GPU went away is replaced by one that uses none, and one that dies while it loads models by
 * one that leaves out those that the user added.
 *
 * @param onRestart called when a worker has died: what pictures run on may be another thing now
 */
export const createWorkerEngine = (log: Log, onRestart: () => void = () => undefined): WorkerEngine => {
  const { call, callToLoad, end, renew } = createWorkers(log, onRestart);
  let lastId = 0;

  /** Settles as soon as the signal says so: the worker may need to end a step before it stops. */
  const abortable = async <T>(
    signal: AbortSignal,
    work: (remote: Remote<EngineWorker>, id: number) => Promise<T>,
  ): Promise<T> => {
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

  return {
    convertsVideo: true,
    load: (classes, onProgress) => callToLoad((remote) => remote.load([...classes], proxy(onProgress))),
    renew,
    anonymiseImage: (job, onProgress, signal) =>
      sayingMemory(
        log,
        retryOnce(
          (sparesMemory) =>
            abortable(signal, (remote, id) =>
              remote.anonymiseImage(id, sparesMemory ? { ...job, sparesMemory } : job, proxy(onProgress)),
            ),
          // One that went on would keep what it had taken so far.
          () => end('out of memory'),
        ),
      ),
    anonymiseVideo: (job, files, onProgress, signal) =>
      sayingMemory(
        log,
        abortable(signal, (remote, id) =>
          withOffer(files, (ticket) => remote.anonymiseVideo(id, job, ticket, proxy(onProgress))),
        ),
      ),
    renderVideo: (job, files, onProgress, signal) =>
      abortable(signal, (remote, id) =>
        withOffer(files, (ticket) => remote.renderVideo(id, job, ticket, proxy(onProgress))),
      ),
    outlineObjects: (bytes, ...rest) =>
      call((remote) => remote.outlineObjects(transfer(bytes, moved(bytes)), ...rest)),
    renderImage: (bytes, ...rest) =>
      call((remote) => remote.renderImage(transfer(bytes, moved(bytes)), ...rest)),
    renderMask: (...args) => call((remote) => remote.renderMask(...args)),
  };
};
