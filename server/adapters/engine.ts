import './no-telemetry';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { EngineMethods } from '#shared/ports/engine';
import type { VideoSupport } from '#shared/ports/host-engine';
import { methodsBy, type RemoteCall, type Calls } from '#shared/threads/calls';
import { connect } from '#shared/threads/remote';
import type { EngineWorkerData } from '../workers/engine-worker';

export interface PoolOptions {
  /** Module whose default export is a `ServeLease`. */
  readonly workerFile: string;
  /** Images worked on at once. */
  readonly workers: number;
  /** Whether threads start only when they are needed: for a process that only renders. */
  readonly startsLate?: boolean;
  readonly workerData: EngineWorkerData;
  /** Called if a thread does not heed an abort within `abortLimitMs`: only the end of the process stops it. */
  readonly onStuck?: () => void;
  readonly abortLimitMs?: number;
}

export interface PoolEngine extends EngineMethods, VideoSupport {
  /** Stops running work, then ends all threads. */
  close(): Promise<void>;
}

/** How long a thread for renderings stays when there is nothing to render. */
const RENDERER_IDLE_MS = 60_000;

/** How long a step of the work may take to end at shutdown; threads are ended then, whatever they are at. */
const CLOSE_LIMIT_MS = 5_000;

/** How long a step of aborted work may go on. The longest ones take seconds. */
export const ABORT_LIMIT_MS = 10_000;

type Watch = Pick<PoolOptions, 'onStuck' | 'abortLimitMs'>;

/** Reports a call that does not end within a time after its abort. */
const watchAbort = (
  args: readonly unknown[],
  ended: Promise<void>,
  { onStuck, abortLimitMs = ABORT_LIMIT_MS }: Watch,
): void => {
  const signal = args.find((arg) => arg instanceof AbortSignal);
  if (!signal || !onStuck) return;
  let timeout: NodeJS.Timeout | undefined;
  const start = (): void => void (timeout = setTimeout(onStuck, abortLimitMs));
  signal.addEventListener('abort', start);
  void ended.then(() => {
    signal.removeEventListener('abort', start);
    clearTimeout(timeout);
  });
};

/** Threads that each serve one call at a time. */
interface Threads {
  readonly call: RemoteCall;
  close(): Promise<void>;
}

/**
 * Each call gets a thread and a port to it, until the thread has answered: also where the caller has given up before.
 *
 * Aborting by a message, not by ending the thread: onnxruntime takes the whole process down when a run returns to a
 * thread that is gone. The thread stops at the next step of its work, and keeps its models.
 */
const startThreads = (
  { workerFile, workerData, ...watch }: PoolOptions,
  { min, max }: { readonly min: number; readonly max: number },
): Threads => {
  const pool = new Piscina({
    filename: workerFile,
    minThreads: min,
    maxThreads: max,
    idleTimeout: RENDERER_IDLE_MS,
    workerData,
    // A thread that waits on a lock answers nothing else; tasks are seconds long, so the lock would save nothing.
    atomics: 'disabled',
    recordTiming: false,
    closeTimeout: CLOSE_LIMIT_MS,
  });
  const leases = new Set<Calls>();
  return {
    call: (method, args) => {
      const { port1, port2 } = new MessageChannel();
      const lease = connect(port1);
      const answer = lease.call(method, args);
      leases.add(lease);
      pool.run(port2, { transferList: [port2] }).catch(lease.end);
      const ended = lease.idle();
      watchAbort(args, ended, watch);
      void ended.then(() => {
        leases.delete(lease);
        port1.close();
      });
      return answer;
    },
    close: async () => {
      for (const { abort } of leases) abort(new Error('The server is stopping.'));
      await pool.close({ force: true });
    },
  };
};

/**
 * The engine in a pool of threads, so that no image holds up an answer.
 *
 * A thread that dies fails its own task only, and is replaced. Renderings of images have a thread of their own: a
 * download need not wait for running images.
 */
export const createPoolEngine = (options: PoolOptions): PoolEngine => {
  const { workers, workerData, startsLate = false } = options;
  const pool = startThreads(options, { min: startsLate ? 0 : workers, max: workers });
  const renderer = startThreads(options, { min: 0, max: 1 });
  const { renderImage, renderMask } = methodsBy<EngineMethods>(renderer.call);
  const methods = methodsBy<EngineMethods>(pool.call);
  const takesVideo = workerData.video !== undefined;
  return methodsBy<PoolEngine>(pool.call, {
    renderImage,
    renderMask,
    takesVideo,
    convertsVideo: takesVideo && workerData.ffmpeg !== undefined,
    load: async (needs, onProgress, signal) => {
      const shares = new Array<number>(workers).fill(0);
      const loadOne = (index: number): Promise<{ readonly backend: string }> => {
        const onShare = (share: number): void => {
          shares[index] = share;
          onProgress(shares.reduce((sum, each) => sum + each, 0) / shares.length);
        };
        return methods.load(needs, onShare, signal);
      };
      const [first] = await Promise.all(shares.map((_, index) => loadOne(index)));
      return first!;
    },
    close: async () => void (await Promise.all([pool.close(), renderer.close()])),
  });
};
