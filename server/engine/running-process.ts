import type { ChildProcess } from 'node:child_process';
import type { Log } from '#shared/ports/system';
import { methodsBy, type Calls } from '#shared/threads/calls';
import { EngineLost } from './process-engine';
import { checkMessage } from './messages';
import { callEngine } from './process-calls';
import { endProcessGroup } from './spawn-engine';
import type { ServedProcess } from './served-process';
import { readFileSync } from 'node:fs';

/**
 * How many processes of this machine the kernel has ended for lack of memory.
 *
 * @returns undefined where the system does not say: only Linux does, in proc(5)
 */
export const countOomKills = (path = '/proc/vmstat'): number | undefined => {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(path, 'latin1')) ?? [];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
};

/** Questions whether a process answers. */
export interface PingIntervals {
  /** Between two questions, in ms. */
  readonly pingMs: number;
  /** Without an answer for this number of questions it counts as not answering … */
  readonly silentPings: number;
  /** … and for this number it is ended. */
  readonly deadPings: number;
}

/** An engine process from its start to its end. */
export interface RunningProcess {
  readonly calls: Calls;
  readonly engine: ServedProcess;
  isAnswering(): boolean;
  /** Ends it, and the programs that it has started. */
  end(): void;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
}

/** Resolves with the reason when a process has ended, or could not be started. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit status ${code}`));
  });

/**
 * Tells whether somebody else ended the process: no crash and no abort of its own ends by SIGKILL, and the kernel counts
 * those for lack of memory.
 */
const watchKills = () => {
  const before = countOomKills();
  return (reason: string): boolean =>
    reason === 'SIGKILL' && before !== undefined && countOomKills() === before;
};

/** Asks a process again and again. Counts questions, not time: after the sleep of a laptop none has been missed. */
const watch = (
  engine: ServedProcess,
  { pingMs, silentPings, deadPings }: PingIntervals,
  onDead: () => void,
) => {
  let silence = 0;
  const ask = setInterval(() => {
    silence += 1;
    engine.ping().then(
      () => (silence = 0),
      () => undefined, // it has ended
    );
    if (silence > deadPings) onDead();
  }, pingMs);
  ask.unref();
  return { isAnswering: () => silence <= silentPings, stop: () => clearInterval(ask) };
};

/**
 * Takes over a process that was just spawned. When it ends, its calls are rejected with `EngineLost`.
 *
 * The process decodes files of strangers, so each of its messages is checked.
 *
 * @param onEnd called before the calls are rejected
 */
export const overseeProcess = (
  child: ChildProcess,
  log: Log,
  intervals: PingIntervals,
  onEnd: (reason: string) => void,
): RunningProcess => {
  let isStuck = false;
  let isSuspect = false;
  const wasKilled = watchKills();
  const end = (): void => {
    if (child.pid !== undefined) endProcessGroup(child.pid);
  };
  const endAsSuspect = (message: string, error: unknown): void => {
    isSuspect = true;
    log.error(message, error);
    end();
  };
  const onBadMessage = (error: unknown): void => endAsSuspect('The engine process is ended.', error);
  const calls = callEngine(child, checkMessage, onBadMessage);
  const engine = methodsBy<ServedProcess>(calls.call);
  engine.stuck().then(
    () => (isStuck = true),
    () => undefined, // it has ended
  );
  const { isAnswering, stop } = watch(engine, intervals, () =>
    endAsSuspect('The engine process does not answer: it is ended.', new Error('No answer.')),
  );
  process.once('exit', end);
  const ended = endOf(child).then((reason) => {
    stop();
    process.off('exit', end);
    end(); // programs that it has started
    onEnd(reason);
    const isBlameless = isStuck || (!isSuspect && wasKilled(reason));
    calls.end(new EngineLost(`The engine process ended (${reason}).`, isBlameless));
    return reason;
  });
  return { calls, engine, isAnswering, end, ended };
};
