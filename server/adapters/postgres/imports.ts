import type { TaskClaims } from '../../cluster/shared-task-store';
import { jobOf, workOf } from '#shared/tasks/base/job-store';
import type { Database } from './connect';
import { insertTask } from './task-table';

const FIRST_JOB = 1;

/** Adds tasks of a server without a role. */
export const createImports = (database: Database): Pick<TaskClaims, 'addImported'> => ({
  addImported: ({ task, settings, folders, wanted }) =>
    database.transaction(async (sql) => {
      const isAdded = await insertTask(sql, task, {
        settings: JSON.stringify(settings),
        folders,
        ...(wanted && { wanted: JSON.stringify(wanted) }),
      });
      if (!isAdded) return 'known';
      await sql.query('DELETE FROM files_in_doubt WHERE task_id = $1', [task.id]);
      return { job: workOf(task) === null ? undefined : jobOf(task.id, task.kind, FIRST_JOB, false) };
    }),
});
