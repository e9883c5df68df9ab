import { reduceTask } from '#shared/domain/task';
import { eventOfLostWork } from '#shared/tasks/run/outcome';
import type { Job } from '#shared/tasks/base/job-store';
import type { DueWork } from '../../cluster/shared-task-store';
import type { Database, Sql } from './connect';
import { isSilent, lockTask, saveTask, type LockedTask } from './locked-task';
import { isActive, type StoreRole } from './task-row';

/** Marks the files of a failed task, so that they are removed even if the process that should remove them dies. */
export const noteFilesInDoubt = async (sql: Sql, id: string): Promise<void> => {
  await sql.query('INSERT INTO files_in_doubt (task_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
};

/**
 * Ends a claim whose worker is silent: the task waits again, or fails after its last attempt.
 *
 * The files of a failed task are marked, so that they are removed even if the caller does not do so.
 *
 * @returns the new job; `failed` if the task has failed
 */
export const endLostClaim = async (
  sql: Sql,
  role: StoreRole,
  locked: LockedTask,
): Promise<Job | 'failed' | undefined> => {
  const event = eventOfLostWork(locked.task, locked.row.edit_attempts, locked.nowMs);
  const task = reduceTask(locked.task, event);
  const hasFailedEdits = task.edit?.status === 'failed';
  const job = await saveTask(sql, role, locked, {
    task,
    editVersion: locked.row.edit_version + (hasFailedEdits ? 1 : 0),
  });
  await sql.query(`UPDATE counters SET value = value + 1 WHERE name = 'lost-heartbeats'`);
  if (task.status !== 'failed') return job;
  await noteFilesInDoubt(sql, task.id);
  return 'failed';
};

export const createLostClaims = (database: Database, role: StoreRole): Pick<DueWork, 'endLostClaims'> => ({
  endLostClaims: async (silentMs) => {
    const jobs: Job[] = [];
    const failed: string[] = [];
    const silent = await database.query<{ id: string }>(
      `SELECT id FROM tasks
       WHERE work IS NOT NULL AND (token IS NOT NULL OR status = 'processing') AND ${isSilent('$1')}`,
      [silentMs],
    );
    for (const { id } of silent) {
      const ended = await database.transaction(async (sql) => {
        const locked = await lockTask(sql, role, id, silentMs);
        return locked?.isLost && isActive(locked.task) ? endLostClaim(sql, role, locked) : undefined;
      });
      if (ended === 'failed') failed.push(id);
      else if (ended) jobs.push(ended);
    }
    return { jobs, failed };
  },
});
