import type { Task } from '#shared/domain/task';
import { outcomeOf, type Outcome } from '#shared/tasks/run/run-task';
import type { WatchTask } from '#shared/tasks/watch-tasks';
import { pause } from './repeat';
import type { ClusterPorts } from './cluster-ports';

/** How long clients wait for a database that does not answer. */
const MAX_SILENCE_MS = 60_000;
const RETRY_MS = 1_000;

type WaitPorts = Pick<ClusterPorts, 'system' | 'timer' | 'log'>;

/**
 * Waits until a task reaches a state.
 *
 * @param stateOf undefined as long as it is not reached
 * @param gone the state of a task that does not exist any more
 * @param putOff the state if the process stops, or the database is silent for too long
 */
export const awaitState = async <S>(
  id: string,
  watch: WatchTask,
  { system, timer, log }: WaitPorts,
  {
    stateOf,
    gone,
    putOff,
  }: { readonly stateOf: (task: Task) => S | undefined; readonly gone: S; readonly putOff: S },
  signal: AbortSignal,
): Promise<S> => {
  const tryOnce = async (): Promise<S> => {
    for await (const task of watch(id, signal)) {
      const state = stateOf(task);
      if (state !== undefined) return state;
      silentSinceMs = undefined;
    }
    return signal.aborted ? putOff : gone;
  };
  let silentSinceMs: number | undefined;
  while (!signal.aborted) {
    try {
      return await tryOnce();
    } catch (error) {
      silentSinceMs ??= system.elapsedMs();
      if (system.elapsedMs() - silentSinceMs > MAX_SILENCE_MS) {
        log.error('The outcome of a task could not be read.', error);
        return putOff;
      }
      await pause(RETRY_MS, timer, signal);
    }
  }
  return putOff;
};

const ENDED = { done: true, failed: true, deleted: true, queued: false, processing: false } as const;

/** How a task ends. Never rejects. */
export const awaitOutcome = (
  id: string,
  watch: WatchTask,
  ports: WaitPorts,
  signal: AbortSignal,
): Promise<Outcome> =>
  awaitState<Outcome>(
    id,
    watch,
    ports,
    {
      stateOf: (task) => (ENDED[task.status] ? outcomeOf(task) : undefined),
      gone: { kind: 'deleted' },
      putOff: { kind: 'put-off' },
    },
    signal,
  );
