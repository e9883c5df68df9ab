import type { ChildProcess } from 'node:child_process';
import type { VideoSupport } from '#shared/ports/host-engine';
import type { Log } from '#shared/ports/system';
import type { RemoteCall } from '#shared/threads/calls';
import { EngineLost } from './process-engine';
import { overseeProcess, type PingIntervals, type RunningProcess } from './running-process';
import type { EngineProcessOptions, ServedProcess } from './served-process';

/** Intervals of an engine process, in ms. */
export interface EngineIntervals extends PingIntervals {
  /** Pause before the next start if the last process lived no longer. */
  readonly restartMs: number;
  /** How long threads may take to end at shutdown. */
  readonly closeMs: number;
}

export const ENGINE_INTERVALS: EngineIntervals = {
  pingMs: 2_000,
  silentPings: 5,
  deadPings: 15,
  restartMs: 500,
  closeMs: 6_000,
};

/** Starts in a row without success after which calls fail instead of waiting for the next one. */
const MAX_FAILED_STARTS = 20;
const NEVER = new AbortController().signal;

/** What an engine process takes. */
export interface EngineProcessPorts {
  /** Starts the program: see `spawnEngine`. */
  readonly spawn: () => ChildProcess;
  readonly log: Log;
}

/** The engine process of a host, one after another. */
export interface EngineProcess {
  /** Calls the process, and starts it if none runs. @throws EngineLost if it ends meanwhile */
  readonly call: RemoteCall;
  /** Starts the process. @returns which videos it reads */
  start(): Promise<VideoSupport>;
  /** Whether the process answers; true if none has to run. */
  isAnswering(): boolean;
  /** Stops running work, then ends the process. */
  close(): Promise<void>;
}

/** A process, and when it takes calls. */
interface Started extends RunningProcess {
  readonly ready: Promise<VideoSupport>;
}

/** Prepares each new process for its work. */
const createPreparation = (options: EngineProcessOptions) => {
  /** What decides which models a later process loads, too, before it takes work. */
  let loaded: Parameters<ServedProcess['load']>[0] | undefined;
  /** Starts in a row without success. */
  let failedStarts = 0;
  return {
    prepare: async (engine: ServedProcess): Promise<VideoSupport> => {
      failedStarts += 1;
      const support = await engine.start(options);
      if (loaded) await engine.load(loaded, () => undefined, NEVER);
      failedStarts = 0;
      return support;
    },
    remember: (method: string, args: readonly unknown[]): void => {
      if (method === 'load') [loaded] = args as Parameters<ServedProcess['load']>;
    },
    /** No work had begun, so no call is the reason. But a process that never starts must not be waited for. */
    asFailedStart: (error: unknown): never => {
      if (error instanceof EngineLost && failedStarts < MAX_FAILED_STARTS) {
        throw new EngineLost(error.message, true);
      }
      throw new Error('The engine process does not start.', { cause: error });
    },
  };
};

/** Stops running work and ends the process. */
const closeProcess = async (
  { calls, engine, end, ended }: RunningProcess,
  closeMs: number,
): Promise<void> => {
  calls.abort(new Error('The server is stopping.'));
  const limit = setTimeout(end, closeMs);
  await engine.close().catch(() => undefined);
  clearTimeout(limit);
  end();
  await ended;
};

/** Keeps an engine process running: when one ends, the next one starts. */
export const createEngineProcess = (
  options: EngineProcessOptions,
  { spawn, log }: EngineProcessPorts,
  intervals: EngineIntervals = ENGINE_INTERVALS,
): EngineProcess => {
  const { prepare, remember, asFailedStart } = createPreparation(options);
  let running: Started | undefined;
  let pause: Promise<void> | undefined;
  let isClosed = false;

  const begin = (): Started => {
    const startedMs = performance.now();
    const process = overseeProcess(spawn(), log, intervals, (reason) => {
      running = undefined;
      if (!isClosed) beginAgain(performance.now() - startedMs, reason);
    });
    running = { ...process, ready: prepare(process.engine) };
    running.ready.catch(() => undefined); // each call awaits it
    return running;
  };
  const beginAgain = (livedMs: number, reason: string): void => {
    log.error('The engine process ended; it is started again.', new Error(reason));
    if (livedMs >= intervals.restartMs) return void begin();
    pause = new Promise((resolve) => setTimeout(resolve, intervals.restartMs)).then(() => {
      pause = undefined;
      if (!isClosed) begin();
    });
  };
  const current = async (): Promise<Started> => {
    await pause;
    if (isClosed) throw new Error('The engine is closed.');
    return running ?? begin();
  };

  return {
    start: async () => (await current()).ready,
    call: async (method, args) => {
      const { calls, ready } = await current();
      await ready.catch(asFailedStart);
      const result = await calls.call(method, args);
      remember(method, args);
      return result;
    },
    isAnswering: () => running?.isAnswering() ?? true,
    close: async () => {
      isClosed = true;
      if (running) await closeProcess(running, intervals.closeMs);
    },
  };
};
