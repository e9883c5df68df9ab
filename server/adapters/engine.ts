import './no-telemetry';
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { UnreadableFile } from '#shared/domain/unreadable-file';
import type { Engine } from '#shared/ports/engine';
import type { EngineWorkerData } from '../workers/engine-worker';
import { offerVideoFiles } from './offer-video-files';
import { ABORT, type EngineTasks, type Outcome } from '../workers/serve-engine';

export interface PoolOptions {
  /** Module that exports `EngineTasks`. */
  readonly workerFile: string;
  /** Pictures worked on at once. */
  readonly workers: number;
  readonly workerData: EngineWorkerData;
}

export interface PoolEngine extends Engine {
  /** Stops running work, then ends all threads. */
  close(): Promise<void>;
}

interface RunOptions {
  readonly transfer?: Transferable[];
}

/** How long a thread for renderings stays when there is nothing to render. */
const RENDERER_IDLE_MS = 60_000;

/** How long a step of the work may take to end at shutdown; threads are ended then, whatever they are at. */
const CLOSE_LIMIT_MS = 5_000;

const createPool = (
  { workerFile, workerData }: PoolOptions,
  threads: { min: number; max: number },
): Piscina =>
  new Piscina({
    filename: workerFile,
    minThreads: threads.min,
    maxThreads: threads.max,
    idleTimeout: RENDERER_IDLE_MS,
    workerData,
    // A thread that waits on a lock answers nothing else; tasks are seconds long, so the lock would save nothing.
    atomics: 'disabled',
    recordTiming: false,
    closeTimeout: CLOSE_LIMIT_MS,
  });

type Result<Name extends keyof EngineTasks> = Awaited<ReturnType<Required<Engine>[Name]>>;

const run = async <Name extends keyof EngineTasks>(
  pool: Piscina,
  name: Name,
  task: Parameters<EngineTasks[Name]>[0],
  { transfer = [] }: RunOptions = {},
): Promise<Result<Name>> => {
  const running: unknown = pool.run(task, { name, transferList: transfer });
  const outcome = await (running as Promise<Outcome<Result<Name>>>);
  if ('unreadable' in outcome) throw new UnreadableFile(outcome.unreadable);
  return outcome.value;
};

/**
 * Calls `work` with a port that receives progress and sends aborts.
 *
 * Aborting by a message, not by ending the thread: onnxruntime takes the whole process down when a run returns to a
 * thread that is gone. The thread stops at the next step of its work, and keeps its models.
 */
const withProgress = async <T, P>(
  onProgress: (progress: P) => void,
  signal: AbortSignal,
  work: (port: MessageChannel['port2']) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted();
  const { port1, port2 } = new MessageChannel();
  const tell = (): void => port1.postMessage(ABORT);
  port1.on('message', onProgress).unref();
  signal.addEventListener('abort', tell);
  try {
    return await work(port2);
  } catch (error) {
    // What the thread stopped with says nothing of the reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', tell);
    port1.close();
  }
};

/** A file's bytes move; a part of a larger buffer is copied, as its other parts are somebody else's. */
const movable = ({ buffer, byteLength }: Uint8Array): Transferable[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/**
 * The engine in a pool of threads, so that no picture holds up an answer.
 *
 * A thread that dies fails its own task only, and is replaced. Renderings have a thread of their own: a download
 * need not wait for running images.
 */
export const createPoolEngine = (options: PoolOptions): PoolEngine => {
  const pool = createPool(options, { min: options.workers, max: options.workers });
  const renderer = createPool(options, { min: 0, max: 1 });
  const closing = new AbortController();
  const hasVideo = options.workerData.video !== undefined;
  const anonymiseVideo: NonNullable<Engine['anonymiseVideo']> = async (job, files, onProgress, signal) => {
    const offer = offerVideoFiles(files);
    try {
      return await withProgress(onProgress, AbortSignal.any([signal, closing.signal]), (progress) =>
        run(
          pool,
          'anonymiseVideo',
          { job, files: offer.ticket, progress },
          { transfer: [progress, offer.port] },
        ),
      );
    } catch (error) {
      throw offer.fault() ?? error;
    } finally {
      offer.close();
    }
  };
  return {
    convertsVideo: hasVideo && options.workerData.ffmpeg !== undefined,
    load: async (classes, onProgress) => {
      const shares = new Array<number>(options.workers).fill(0);
      const loadOne = (index: number): Promise<{ readonly backend: string }> => {
        const onShare = (share: number): void => {
          shares[index] = share;
          onProgress(shares.reduce((sum, each) => sum + each, 0) / shares.length);
        };
        return withProgress(onShare, closing.signal, (progress) =>
          run(pool, 'load', { classes, progress }, { transfer: [progress] }),
        );
      };
      const [first] = await Promise.all(shares.map((_, index) => loadOne(index)));
      return first!;
    },
    anonymiseImage: (job, onProgress, signal) =>
      withProgress(onProgress, AbortSignal.any([signal, closing.signal]), (progress) =>
        run(pool, 'anonymiseImage', { job, progress }, { transfer: [progress, ...movable(job.bytes)] }),
      ),
    ...(hasVideo && { anonymiseVideo }),
    renderImage: (...args) => run(renderer, 'renderImage', { args }, { transfer: movable(args[0]) }),
    renderMask: (...args) => run(renderer, 'renderMask', { args }),
    close: async () => {
      closing.abort(new Error('The server is stopping.'));
      await Promise.all([pool.close({ force: true }), renderer.close({ force: true })]);
    },
  };
};
