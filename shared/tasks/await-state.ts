import type { Task } from '../domain/task';
import { pause } from './base/repeat';
import type { Log, System, Timer } from '../ports/system';
import type { WatchTask } from './watch-tasks';

/** How long clients wait for a database that does not answer. */
const MAX_SILENCE_MS = 60_000;
const RETRY_MS = 1_000;

interface WaitPorts {
  readonly system: Pick<System, 'elapsedMs'>;
  readonly log: Log;
  /** Without one, nothing is tried again. */
  readonly timer?: Timer;
}

/** What is waited for. */
export interface AwaitedState<S> {
  /** Undefined as long as the state is not reached. */
  readonly stateOf: (task: Task) => S | undefined;
  /** The state of a task that does not exist any more. */
  readonly gone: S;
  /** The state if the process stops, or the database is silent for too long. */
  readonly putOff: S;
}

/** Waits until a task reaches a state. Never rejects. */
export const awaitState = async <S>(
  id: string,
  watch: WatchTask,
  { system, timer, log }: WaitPorts,
  { stateOf, gone, putOff }: AwaitedState<S>,
  signal: AbortSignal,
): Promise<S> => {
  let silentSinceMs: number | undefined;
  const tryOnce = async (): Promise<S> => {
    for await (const task of watch(id, signal)) {
      const state = stateOf(task);
      if (state !== undefined) return state;
      silentSinceMs = undefined;
    }
    return signal.aborted ? putOff : gone;
  };
  while (!signal.aborted) {
    try {
      return await tryOnce();
    } catch (error) {
      silentSinceMs ??= system.elapsedMs();
      if (!timer || system.elapsedMs() - silentSinceMs > MAX_SILENCE_MS) {
        log.error('The outcome of a task could not be read.', error);
        return putOff;
      }
      await pause(RETRY_MS, timer, signal);
    }
  }
  return putOff;
};
