import { proxy, releaseProxy, transfer, wrap, type Remote } from 'comlink';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { EngineWorker } from '../workers/engine-worker';
import { offerVideoFiles } from './offer-video-files';

/** A running worker and the promise that rejects when it dies: calls to a dead worker would wait for ever. */
interface Bridge {
  readonly remote: Remote<EngineWorker>;
  readonly died: Promise<never>;
}

const startWorker = (onDeath: (cause: Error) => void): Bridge => {
  const worker = new Worker(new URL('../workers/engine-worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<EngineWorker>(worker);
  const died = new Promise<never>((_, reject) => {
    const end = ({ message }: ErrorEvent): void => {
      const cause = new Error(`The engine's worker stopped: ${message || 'no reason given'}`);
      remote[releaseProxy]();
      worker.terminate();
      onDeath(cause);
      reject(cause);
    };
    worker.addEventListener('error', end, { once: true });
  });
  died.catch(() => undefined);
  return { remote, died };
};

/** Rejects with the signal's reason. The listener goes with `until`, so that a signal for many jobs stays light. */
const aborted = (signal: AbortSignal, until: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: until });
  });

const moved = (bytes: Uint8Array): Transferable[] => [bytes.buffer as ArrayBuffer];

/**
 * The engine in a worker of its own, so that the page stays quick.
 *
 * A worker that dies is replaced at the next call; what it was working on fails. `bytes` are handed over, not
 * copied: the caller's array is empty afterwards.
 */
export const createWorkerEngine = (log: Log): Engine => {
  let bridge: Bridge | undefined;
  let lastId = 0;

  const call = <T>(work: (remote: Remote<EngineWorker>) => Promise<T>): Promise<T> => {
    const current = (bridge ??= startWorker((cause) => {
      bridge = undefined;
      log.error('The engine will be started again', cause);
    }));
    return Promise.race([work(current.remote), current.died]);
  };

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
    load: (classes, onProgress) => call((remote) => remote.load([...classes], proxy(onProgress))),
    anonymiseImage: (job, onProgress, signal) =>
      abortable(signal, (remote, id) =>
        remote.anonymiseImage(id, transfer(job, moved(job.bytes)), proxy(onProgress)),
      ),
    anonymiseVideo: (job, files, onProgress, signal) =>
      abortable(signal, async (remote, id) => {
        const offer = offerVideoFiles(files);
        const ticket = transfer(offer.ticket, [offer.ticket.port]);
        try {
          return await remote.anonymiseVideo(id, job, ticket, proxy(onProgress));
        } catch (error) {
          throw offer.fault() ?? error;
        } finally {
          offer.close(); // not before: a worker that waits for bytes would wait for ever
        }
      }),
    renderImage: (bytes, ...rest) =>
      call((remote) => remote.renderImage(transfer(bytes, moved(bytes)), ...rest)),
    renderMask: (...args) => call((remote) => remote.renderMask(...args)),
  };
};
