import type { ChildProcess } from 'node:child_process';
import { connect, type Connection, type RemoteCall } from '#shared/engine/worker/connection';
import type { Port } from '#shared/engine/worker/messages';
import type { VideoSupport } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import { checkMessage } from './check-message';
import { EngineLost } from './engine-lost';
import { endProcessGroup } from './process-group';
import type { EngineProcessOptions, ServedProcess } from './served-process';

/** Intervals of an engine process, in ms. */
export interface EngineIntervals {
  /** Between two questions whether it answers. */
  readonly pingMs: number;
  /** Without an answer for this number of questions it counts as not answering … */
  readonly silentPings: number;
  /** … and for this number it is ended. */
  readonly deadPings: number;
  /** Pause before the next start if the last one ended at once. */
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

/** What an engine process takes. */
export interface EngineProcessPorts {
  /** Starts the program: see `spawnEngine`. */
  readonly spawn: () => ChildProcess;
  readonly log: Log;
}

/** The engine process of a host, one after another. */
export interface EngineProcess {
  /** Calls the process, and starts it if none runs. @throws EngineLost if it ends meanwhile */
  readonly call: RemoteCall<ServedProcess>;
  /** Starts the process. @returns which videos it reads */
  start(): Promise<VideoSupport>;
  /** Whether the process answers; true if none has to run. */
  isAnswering(): boolean;
  /** Stops running work, then ends the process. */
  close(): Promise<void>;
}

/** Then calls fail instead of waiting for the next start. */
const MAX_FAILED_STARTS = 20;

const NEVER = new AbortController().signal;

/** A process that runs. */
interface Running {
  readonly child: ChildProcess;
  readonly connection: Connection<ServedProcess>;
  readonly ready: Promise<VideoSupport>;
  readonly startedMs: number;
  /** Questions without an answer. */
  silence: number;
  isStuck: boolean;
}

const portOf = (child: ChildProcess, onBadMessage: (error: unknown) => void): Port => ({
  postMessage: (message) => {
    // An error means that the process has ended, which its `exit` event reports.
    if (child.connected) child.send(message, () => undefined);
  },
  addEventListener: (_type, listener) =>
    void child.on('message', (message) => {
      try {
        listener({ data: checkMessage(message) });
      } catch (error) {
        onBadMessage(error);
      }
    }),
});

const end = ({ child }: Pick<Running, 'child'>): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    endProcessGroup(child.pid);
  }
};

/** Resolves when the process has ended. */
const ended = ({ child }: Running): Promise<void> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => void child.once('exit', () => resolve()))
    : Promise.resolve();

/**
 * Keeps an engine process running: when it ends, all calls are rejected with `EngineLost`, and the next one starts.
 *
 * The process decodes files of strangers. This side checks its messages, holds the secrets, and never decodes.
 */
export const createEngineProcess = (
  options: EngineProcessOptions,
  { spawn, log }: EngineProcessPorts,
  intervals: EngineIntervals = ENGINE_INTERVALS,
): EngineProcess => {
  let running: Running | undefined;
  let restart: Promise<void> | undefined;
  let isClosed = false;
  /** Starts in a row after which no process was ready. */
  let failedStarts = 0;
  /** Classes whose models a later process loads, too, before it takes work. */
  let loaded: Parameters<ServedProcess['load']>[0] | undefined;

  const onExit = (own: Running, detail: string): void => {
    own.connection.end(new EngineLost(`The engine process ended (${detail}).`, own.isStuck));
    if (running === own) running = undefined;
    if (isClosed) return;
    log.error('The engine process ended; it is started again.', new Error(detail));
    restart = startAgain(performance.now() - own.startedMs);
  };
  const startAgain = async (livedMs: number): Promise<void> => {
    if (livedMs < intervals.restartMs) await new Promise((go) => setTimeout(go, intervals.restartMs));
    restart = undefined;
    if (isClosed || running) return;
    begin();
  };
  const prepare = async ({ call }: Connection<ServedProcess>): Promise<VideoSupport> => {
    const support = await call('start', options);
    if (loaded) await call('load', loaded, () => undefined, NEVER);
    failedStarts = 0;
    return support;
  };
  const begin = (): Running => {
    const child = spawn();
    const onBadMessage = (error: unknown): void => {
      log.error('The engine process is ended.', error);
      end({ child });
    };
    const connection = connect<ServedProcess>(portOf(child, onBadMessage), () => (own.isStuck = true));
    failedStarts += 1; // until it is ready
    const ready = prepare(connection);
    ready.catch(() => undefined); // each call awaits it
    const own: Running = {
      ...{ child, connection, ready, startedMs: performance.now() },
      ...{ silence: 0, isStuck: false },
    };
    child.once('error', (error) => onExit(own, error.message));
    child.once('exit', (code, signal) => {
      onExit(own, signal ?? `exit status ${code}`);
      // Programs that it started may live on.
      if (child.pid !== undefined) endProcessGroup(child.pid);
    });
    running = own;
    return own;
  };
  /** No work had begun: no call is the reason. But a process that never starts must not be waited for. */
  const asFailedStart = (error: unknown): never => {
    if (error instanceof EngineLost && failedStarts < MAX_FAILED_STARTS) {
      throw new EngineLost(error.message, true);
    }
    throw new Error('The engine process does not start.', { cause: error });
  };
  const current = async (): Promise<Running> => {
    if (isClosed) throw new Error('The engine is closed.');
    await restart;
    return running ?? begin();
  };

  /** Counts questions, not time: after the sleep of a laptop, no question has been missed. */
  const ask = setInterval(() => {
    const asked = running;
    if (!asked) return;
    asked.silence += 1;
    asked.connection.call('ping').then(
      () => (asked.silence = 0),
      () => undefined, // it has ended
    );
    if (asked.silence <= intervals.deadPings) return;
    log.error('The engine process does not answer: it is ended.', new Error('No answer.'));
    end(asked);
  }, intervals.pingMs);
  ask.unref();
  const endWithHost = (): void => {
    if (running) end(running);
  };
  process.once('exit', endWithHost);

  return {
    start: async () => (await current()).ready,
    call: async (method, ...args) => {
      const { connection, ready } = await current();
      await ready.catch(asFailedStart);
      const result = await connection.call(method, ...args);
      if (method === 'load') [loaded] = args as Parameters<ServedProcess['load']>;
      return result;
    },
    isAnswering: () => !running || running.silence <= intervals.silentPings,
    close: async () => {
      isClosed = true;
      clearInterval(ask);
      process.off('exit', endWithHost);
      const last = running;
      if (!last) return;
      last.connection.abort(new Error('The server is stopping.'));
      const limit = setTimeout(() => end(last), intervals.closeMs);
      await last.connection.call('close').catch(() => undefined);
      clearTimeout(limit);
      end(last);
      await ended(last);
    },
  };
};
