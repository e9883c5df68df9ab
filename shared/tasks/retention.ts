import type { Log } from '../ports/log';
import type { System } from '../ports/system';
import type { Timer } from '../ports/timer';
import type { TaskService } from './service';
import { createSweepGuard } from './sweep-guard';
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

/**
 * Deletes tasks, with their files, so long after they ended.
 *
 * Each run reads all records; the next run is when the oldest remaining task is due: nothing has to
 * be remembered across a restart.
 */
export const startRetention = (
  { retentionMs, confirmsSweeps }: RetentionSettings,
  tasks: Pick<TaskService, 'list' | 'delete'>,
  { system, timer, log }: RetentionPorts,
): Retention => {
  const guard = createSweepGuard({ system, log }, confirmsSweeps);
  let stopped = false;
  let callOff = (): void => undefined;

  /** @returns when the next task is due */
  const sweep = async (): Promise<number> => {
    const nowMs = system.nowMs();
    const all = await tasks.list();
    const ends = all.flatMap((task) => {
      const ended = endedAtMs(task);
      return ended === undefined ? [] : [{ id: task.id, dueMs: ended + retentionMs }];
    });
    const due = ends.filter(({ dueMs }) => dueMs <= nowMs);
    if (!guard.allows({ nowMs, due: due.length, all: all.length })) return LONGEST_PAUSE_MS;
    for (const { id } of due) {
      if (!stopped) await tasks.delete(id, 'task-and-files');
    }
    const later = ends.flatMap(({ dueMs }) => (dueMs > nowMs ? [dueMs] : []));
    return later.reduce((next, dueMs) => Math.min(next, dueMs), nowMs + retentionMs) - nowMs;
  };
  const run = async (): Promise<void> => {
    const delayMs = await sweep().catch((error: unknown) => {
      log.error('Old tasks could not be deleted; deletion will be retried.', error);
      return SHORTEST_PAUSE_MS;
    });
    if (stopped) return;
    const shortest = Math.min(SHORTEST_PAUSE_MS, retentionMs);
    callOff = timer.after(Math.min(Math.max(delayMs, shortest), LONGEST_PAUSE_MS), () => {
      running = run();
    });
  };
  let running = run();
  return {
    stop: async () => {
      stopped = true;
      callOff();
      await running;
    },
  };
};
