import type { Log, System, Timer } from '../ports/system';
import type { SubjectStore } from '../ports/storage';
import { repeat } from './base/repeat';
import type { TaskService } from './service';
import { createSweepGuard, type SweepGuard } from './sweep-guard';
import type { Task } from '../domain/task';

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
