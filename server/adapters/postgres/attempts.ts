import type { DueWork } from '../../cluster/shared-task-store';
import type { Database, Sql } from './connect';

/** Where the files of a task are, after a change. */
interface FoldersInUse {
  /** Of the live claim. */
  readonly token: string | null;
  readonly folders: readonly string[];
  readonly earlierFolders: readonly string[];
}

/** A worker that lost its claim notices within seconds; until then it still writes, and clients still read. */
const FIRST_SWEEP = "interval '2 minutes'";
/** Sweeps of a folder. Workers that were stopped or cut off may write long after the first one. */
const SWEEPS = 3;
/** Times after the first and second sweep, and after a third one that was not ended. */
const LATER_SWEEPS = "(ARRAY[interval '1 hour', interval '24 hours', interval '1 hour'])";

/** Only attempts have such names: other folders may contain all of a task's files. */
const ATTEMPT_FOLDER = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Records the start of an attempt, so that its folder is removed if it does not become a result. */
export const beginAttempt = async (sql: Sql, taskId: string, token: string): Promise<void> => {
  await sql.query('INSERT INTO attempts (token, task_id) VALUES ($1, $2)', [token, taskId]);
};

/** Schedules the removal of folders that are neither written by the live claim nor part of the result. */
export const abandonAttempts = async (
  sql: Sql,
  taskId: string,
  { token, folders, earlierFolders }: FoldersInUse,
): Promise<void> => {
  const unused = earlierFolders.filter((folder) => !folders.includes(folder) && ATTEMPT_FOLDER.test(folder));
  await sql.query('DELETE FROM attempts WHERE task_id = $1 AND token = ANY($2)', [taskId, folders]);
  await sql.query(
    `UPDATE attempts SET next_sweep_at = now() + ${FIRST_SWEEP}
     WHERE task_id = $1 AND next_sweep_at IS NULL AND token IS DISTINCT FROM $2`,
    [taskId, token],
  );
  if (unused.length === 0) return;
  await sql.query(
    `INSERT INTO attempts (token, task_id, next_sweep_at)
     SELECT folder, $1, now() + ${FIRST_SWEEP} FROM unnest($2::text[]) AS folder ON CONFLICT DO NOTHING`,
    [taskId, unused],
  );
};

/** Gives each due folder to one process, three times in all, and until the third sweep is ended. */
export const createSweeps = (database: Database): Pick<DueWork, 'takeAbandonedFolders' | 'endSweeps'> => ({
  takeAbandonedFolders: (limit) =>
    database.transaction(async (sql) => {
      const due = await sql.query<{ taskId: string; folder: string; sweeps: number }>(
        `SELECT task_id AS "taskId", token AS folder, sweeps FROM attempts WHERE next_sweep_at <= now()
         ORDER BY next_sweep_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      const tokens = due.map(({ folder }) => folder);
      await sql.query(
        `UPDATE attempts SET sweeps = least(sweeps + 1, ${SWEEPS}),
           next_sweep_at = now() + ${LATER_SWEEPS}[least(sweeps + 1, ${SWEEPS})]
         WHERE token = ANY($1)`,
        [tokens],
      );
      return due.map(({ taskId, folder }) => ({ taskId, folder }));
    }),
  endSweeps: async (folders) => {
    await database.query(`DELETE FROM attempts WHERE token = ANY($1) AND sweeps >= ${SWEEPS}`, [folders]);
  },
});
