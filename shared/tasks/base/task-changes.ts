import { hasPendingEdits, type Task } from '../../domain/task';
import { pause } from './repeat';
import type { Log, System, Timer } from '../../ports/system';

/** Tells readers of a task when its record or progress has changed. */
export interface TaskChanges {
  notify(id: string): void;
  /** Ids of the tasks that have readers. */
  followed(): readonly string[];
  /**
   * @param signal wakes the reader as well
   * @returns counts the changes of a task from now on; call `end` when they are of no interest any more
   */
  follow(id: string, signal: AbortSignal): FollowedTask;
}

export interface FollowedTask {
  /** Resolves at the first change since the last call, or when the signal aborts. */
  changed(): Promise<void>;
  end(): void;
}

export const createTaskChanges = (): TaskChanges => {
  const followers = new Map<string, Set<() => void>>();
  return {
    followed: () => [...followers.keys()],
    notify: (id) => followers.get(id)?.forEach((wake) => wake()),
    follow: (id, signal) => {
      let hasChanged = signal.aborted;
      let resume = (): void => undefined;
      const wake = (): void => {
        hasChanged = true;
        resume();
      };
      const all = followers.get(id) ?? new Set();
      followers.set(id, all.add(wake));
      signal.addEventListener('abort', wake);
      return {
        changed: async () => {
          if (!hasChanged) await new Promise<void>((resolve) => (resume = resolve));
          hasChanged = signal.aborted;
        },
        end: () => {
          signal.removeEventListener('abort', wake);
          all.delete(wake);
          if (all.size === 0) followers.delete(id);
        },
      };
    },
  };
};

/** Whether nothing about a task changes any more, unless somebody edits or deletes it. */
const isSettled = (task: Task): boolean =>
  task.status !== 'queued' && task.status !== 'processing' && !hasPendingEdits(task);

/**
 * The task now and after each change, until it has ended and no edits wait or run, is gone, or the signal aborts. Of
 * changes that follow each other faster than they are read, the last one is given.
 */
export type WatchTask = (id: string, signal: AbortSignal) => AsyncIterable<Task>;

/** @param get the task at the moment */
export const watchTasks = (get: (id: string) => Promise<Task | undefined>, changes: TaskChanges): WatchTask =>
  async function* watch(id, signal) {
    const followed = changes.follow(id, signal);
    try {
      for (let task = await get(id); task && !signal.aborted; task = await get(id)) {
        yield task;
        if (isSettled(task)) return;
        await followed.changed();
      }
    } finally {
      followed.end();
    }
  };

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
interface AwaitedState<S> {
  /** Undefined as long as the state is not reached. */
  readonly stateOf: (task: Task) => S | undefined;
  /** The state of a task that does not exist any more. */
  readonly gone: S;
  /** The state if the process stops, or the database is silent for too long. */
  readonly requeued: S;
}

/** Waits until a task reaches a state. Never rejects. */
export const awaitState = async <S>(
  watch: () => ReturnType<WatchTask>,
  { system, timer, log }: WaitPorts,
  { stateOf, gone, requeued }: AwaitedState<S>,
  signal: AbortSignal,
): Promise<S> => {
  let silentSinceMs: number | undefined;
  const tryOnce = async (): Promise<S> => {
    for await (const task of watch()) {
      const state = stateOf(task);
      if (state !== undefined) return state;
      silentSinceMs = undefined;
    }
    return signal.aborted ? requeued : gone;
  };
  while (!signal.aborted) {
    try {
      return await tryOnce();
    } catch (error) {
      silentSinceMs ??= system.elapsedMs();
      if (!timer || system.elapsedMs() - silentSinceMs > MAX_SILENCE_MS) {
        log.error('The outcome of a task could not be read.', error);
        return requeued;
      }
      await pause(RETRY_MS, timer, signal);
    }
  }
  return requeued;
};
