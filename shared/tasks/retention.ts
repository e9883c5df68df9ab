import type { Log, System, Timer } from '../ports/system';
import type { SubjectStore } from '../ports/storage';
import { repeat } from './base/repeat';
import type { TaskService } from './service';
import type { Task } from '../domain/task';

/** A sweep of so many tasks or fewer is never held back: a small installation has often only a day's work. */
const SMALL_SWEEP = 20;
/** A sweep of more than this share of all tasks is not what a day brings. */
const LARGE_SHARE = 1 / 10;
/** Difference between two clocks that no jump explains: slewing changes 1.8 s in the hour between two sweeps. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether a removal is larger than what usually is due. @param all of which `due` are a part */
export const isLargeSweep = (due: number, all: number): boolean =>
  due > SMALL_SWEEP && due > all * LARGE_SHARE;

/** What a sweep would delete. */
export interface PlannedSweep {
  /** By the clock that decides what is due. */
  readonly nowMs: number;
  readonly due: number;
  /** All tasks, with those that are due. */
  readonly all: number;
}

/** Holds back sweeps that a wrong clock, or a wrong setting, has probably caused. */
export interface SweepGuard {
  allows(sweep: PlannedSweep): boolean;
}

/**
 * Creates the guard of one process.
 *
 * A clock that jumps makes everything due at once, and so does a retention that was just switched on or mistyped. So a
 * large sweep needs a confirmation. It needs none if all of it became due since the sweep before, while the clock went on
 * as the monotonic one did: hundreds of images that were processed together are due together.
 *
 * @param isConfirmed whether large sweeps are intended
 */
export const createSweepGuard = (
  { system, log }: { readonly system: Pick<System, 'elapsedMs'>; readonly log: Pick<Log, 'error'> },
  isConfirmed: boolean,
): SweepGuard => {
  let before: { readonly nowMs: number; readonly elapsedMs: number } | undefined;
  const hasTimePassed = (nowMs: number, elapsedMs: number): boolean =>
    before !== undefined &&
    Math.abs(nowMs - before.nowMs - (elapsedMs - before.elapsedMs)) <= CLOCK_TOLERANCE_MS;
  return {
    allows: ({ nowMs, due, all }) => {
      const elapsedMs = system.elapsedMs();
      if (isConfirmed || !isLargeSweep(due, all) || hasTimePassed(nowMs, elapsedMs)) {
        before = { nowMs, elapsedMs };
        return true;
      }
      before = undefined;
      log.error(
        'Retention stopped before it deleted more than a tenth of all tasks at once: check the clock and --data-retention, and start with --confirm-sweep if this is intended.',
        undefined,
        { due, all },
      );
      return false;
    },
  };
};

/** How long tasks stay after they ended. */
export interface RetentionSettings {
  /** Above 0. */
  readonly retentionMs: number;
  /** Whether more than a tenth of all tasks may be deleted at once: see {@link createSweepGuard}. */
  readonly confirmsSweeps: boolean;
}

/** The ended tasks and the subjects of a host: what retention deletes. */
export interface EndedTasks {
  /** By the clock that has recorded the ends of tasks. */
  nowMs(): Promise<number>;
  /**
   * Tasks that ended before a time.
   *
   * @returns their number and their ids, the number of all tasks, and the next end after this time, where it is known
   */
  find(atMs: number): Promise<
    Omit<PlannedSweep, 'nowMs'> & {
      readonly ids: Iterable<string> | AsyncIterable<string>;
      readonly nextEndMs?: number | undefined;
    }
  >;
  delete(id: string): Promise<unknown>;
  /** Undefined where none are kept. */
  readonly subjects: Pick<SubjectStore, 'removeCreatedBefore'> | undefined;
}

interface RetentionPorts {
  readonly system: Pick<System, 'nowMs' | 'elapsedMs'>;
  readonly timer: Timer;
  readonly log: Log;
}

/** Looking through all records has a price, and nobody notices a minute. */
const SHORTEST_PAUSE_MS = 60_000;
/** A clock that is set must not put deletions off for long. A refused sweep is tried, and logged, again after it. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Undefined while the task may still be worked on. A task deleted before its end counts from its beginning. */
export const endedAtMs = ({ status, finishedAtMs, createdAtMs }: Task): number | undefined =>
  status === 'queued' || status === 'processing' ? undefined : (finishedAtMs ?? createdAtMs);

/**
 * Deletes tasks, with their files, so long after they ended, and subjects so long after they were created, until the
 * signal aborts.
 *
 * Nothing has to be remembered across a restart: each run asks for what is due, and for when the next task is.
 */
export const retain = async (
  { retentionMs, confirmsSweeps }: RetentionSettings,
  { nowMs, find, delete: remove, subjects }: EndedTasks,
  ports: RetentionPorts,
  signal: AbortSignal,
): Promise<void> => {
  const guard = createSweepGuard(ports, confirmsSweeps);
  const everyMs = Math.min(SHORTEST_PAUSE_MS, retentionMs);
  const sweep = async (): Promise<number> => {
    const now = await nowMs();
    const { due, all, ids, nextEndMs } = await find(now - retentionMs);
    if (!guard.allows({ nowMs: now, due, all })) return LONGEST_PAUSE_MS;
    for await (const id of ids) {
      if (signal.aborted) break;
      await remove(id);
    }
    if (nextEndMs === undefined) return everyMs;
    return Math.min(Math.max(nextEndMs + retentionMs - now, everyMs), LONGEST_PAUSE_MS);
  };
  const expire = async (): Promise<void> => subjects?.removeCreatedBefore((await nowMs()) - retentionMs);
  const problem = (what: string): string => `Old ${what} could not be deleted; deletion will be retried.`;
  await Promise.all([
    repeat({ everyMs, problem: problem('tasks') }, sweep, ports, signal),
    subjects && repeat({ everyMs, problem: problem('subjects') }, expire, ports, signal),
  ]);
};

/** All tasks are read for each run. */
const endedIn = (tasks: Pick<TaskService, 'list' | 'delete'>): Pick<EndedTasks, 'find' | 'delete'> => ({
  find: async (atMs) => {
    const all = await tasks.list();
    const ended = all.flatMap((task) => {
      const endMs = endedAtMs(task);
      return endMs === undefined ? [] : [{ id: task.id, endMs }];
    });
    const due = ended.filter(({ endMs }) => endMs <= atMs);
    const later = ended.flatMap(({ endMs }) => (endMs > atMs ? [endMs] : []));
    const nextEndMs = later.reduce((next, endMs) => Math.min(next, endMs), Infinity);
    return { due: due.length, all: all.length, ids: due.map(({ id }) => id), nextEndMs };
  },
  delete: (id) => tasks.delete(id, 'task-and-files'),
});

export interface Retention {
  /** Deletes nothing any more. @returns when what it was at has ended */
  stop(): Promise<void>;
}

/** Retention of the only process of a host. @param subjects undefined where none are kept */
export const startRetention = (
  settings: RetentionSettings,
  tasks: Pick<TaskService, 'list' | 'delete'>,
  ports: RetentionPorts,
  subjects?: EndedTasks['subjects'],
): Retention => {
  const stopped = new AbortController();
  const ended = { nowMs: async () => ports.system.nowMs(), ...endedIn(tasks), subjects };
  const retaining = retain(settings, ended, ports, stopped.signal);
  return {
    stop: async () => {
      stopped.abort();
      await retaining;
    },
  };
};
