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
/** A refused sweep is tried again each minute; the log names it once in this time. */
const LOG_PAUSE_MS = 3_600_000;

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
  let loggedMs = -Infinity;
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
      if (elapsedMs - loggedMs >= LOG_PAUSE_MS) {
        loggedMs = elapsedMs;
        log.error(
          'Retention stopped before it deleted more than a tenth of all tasks at once: check the clock and --data-retention, and start with --confirm-sweep if this is intended.',
          undefined,
          { due, all },
        );
      }
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

export interface Retention {
  /** Deletes nothing any more. @returns when what it was at has ended */
  stop(): Promise<void>;
}

interface RetentionPorts {
  readonly system: System;
  readonly timer: Timer;
  readonly log: Log;
}

/** Looking through all records has a price, and nobody notices a minute. */
const SHORTEST_PAUSE_MS = 60_000;
/** A clock that is set must not put deletions off for long. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Undefined while the task may still be worked on. A task deleted before its end counts from its beginning. */
export const endedAtMs = ({ status, finishedAtMs, createdAtMs }: Task): number | undefined =>
  status === 'queued' || status === 'processing' ? undefined : (finishedAtMs ?? createdAtMs);

/** Deletes the tasks that are due. @returns when the next one is, in ms from now */
const sweep = async (
  retentionMs: number,
  tasks: Pick<TaskService, 'list' | 'delete'>,
  system: System,
  guard: SweepGuard,
  signal: AbortSignal,
): Promise<number> => {
  const nowMs = system.nowMs();
  const all = await tasks.list();
  const ends = all.flatMap((task) => {
    const ended = endedAtMs(task);
    return ended === undefined ? [] : [{ id: task.id, dueMs: ended + retentionMs }];
  });
  const due = ends.filter(({ dueMs }) => dueMs <= nowMs);
  if (!guard.allows({ nowMs, due: due.length, all: all.length })) return LONGEST_PAUSE_MS;
  for (const { id } of due) {
    if (!signal.aborted) await tasks.delete(id, 'task-and-files');
  }
  const later = ends.flatMap(({ dueMs }) => (dueMs > nowMs ? [dueMs] : []));
  return later.reduce((next, dueMs) => Math.min(next, dueMs), nowMs + retentionMs) - nowMs;
};

/**
 * Deletes tasks, with their files, so long after they ended, and subjects so long after they were created.
 *
 * Each run reads all records; the next run is when the oldest remaining task is due: nothing has to be remembered
 * across a restart.
 *
 * @param subjects undefined where none are kept
 */
export const startRetention = (
  { retentionMs, confirmsSweeps }: RetentionSettings,
  tasks: Pick<TaskService, 'list' | 'delete'>,
  ports: RetentionPorts,
  subjects?: Pick<SubjectStore, 'removeCreatedBefore'>,
): Retention => {
  const { system } = ports;
  const guard = createSweepGuard(ports, confirmsSweeps);
  const stopped = new AbortController();
  const { signal } = stopped;
  const everyMs = Math.min(SHORTEST_PAUSE_MS, retentionMs);
  const sweeping = repeat(
    { everyMs, problem: 'Old tasks could not be deleted; deletion will be retried.' },
    async () => {
      const pauseMs = await sweep(retentionMs, tasks, system, guard, signal);
      return Math.min(Math.max(pauseMs, everyMs), LONGEST_PAUSE_MS);
    },
    ports,
    signal,
  );
  const expiring =
    subjects &&
    repeat(
      { everyMs, problem: 'Old subjects could not be deleted; deletion will be retried.' },
      () => subjects.removeCreatedBefore(system.nowMs() - retentionMs),
      ports,
      signal,
    );
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all([sweeping, expiring]);
    },
  };
};
