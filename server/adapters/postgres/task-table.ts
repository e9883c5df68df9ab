import { reduceTask, type Task, type TaskStatus } from '#shared/domain/task';
import type { TaskStore } from '#shared/ports/storage';
import { endedAtMs } from '#shared/tasks/retention';
import { pageOf, readCursor } from '#shared/tasks/base/task-records';
import { inOrder } from '#shared/tasks/base/weighted-queue';
import { jobOf, workOf, type Admission } from '#shared/tasks/base/job-store';
import type { SharedTask, TaskClaims } from '../../cluster/shared-task-store';
import { ADVISORY_LOCKS, type Database, type Sql } from './connect';
import {
  type StoreRole,
  type TaskRow,
  deleteTask,
  lockTask,
  saveTask,
  derivedColumns,
  recordColumns,
  taskOf,
} from './locked-task';

type TaskTable = Pick<TaskStore, 'put' | 'update' | 'get' | 'holdsVideo' | 'page' | 'remove'> &
  Pick<TaskClaims, 'accept' | 'apply' | 'mayBeWritten' | 'countByStatus' | 'countUnfinished'>;

/**
 * Adds a row. Needs the rights of the role `api`.
 *
 * It sends no notification: nobody follows a new task yet, and PostgreSQL lets transactions with notifications wait for
 * the disk one after the other.
 *
 * @returns whether it was added; not if the id is known
 */
export const insertTask = async (
  sql: Sql,
  task: Task,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<boolean> => {
  const ended = endedAtMs(task) ?? null;
  const all = { id: task.id, ended_at_ms: ended, ...derivedColumns(task, 'api'), ...columns };
  const names = Object.keys(all);
  const added = await sql.query(
    `INSERT INTO tasks (${names.join(', ')}) VALUES (${names.map((_name, index) => `$${index + 1}`).join(', ')})
     ON CONFLICT (id) DO NOTHING RETURNING 1`,
    Object.values(all),
  );
  return added.length > 0;
};

const COUNT_UNFINISHED = `SELECT count(*)::int AS tasks FROM tasks WHERE status IN ('queued', 'processing')`;

/** One admission at a time, so that parallel ones do not all find the same room. */
const acceptIn = (
  database: Database,
  { task, settings, isUrgent, folders = [], wanted }: SharedTask,
  { maxUnfinished }: Admission,
): ReturnType<TaskTable['accept']> =>
  database.transaction(async (sql) => {
    if (maxUnfinished !== undefined) {
      await sql.query('SELECT pg_advisory_xact_lock($1, $2)', ADVISORY_LOCKS.admission);
      const [unfinished] = await sql.query<{ tasks: number }>(COUNT_UNFINISHED);
      if (unfinished!.tasks >= maxUnfinished) return 'full';
    }
    const edits = wanted && { wanted: JSON.stringify(wanted) };
    const columns = { settings: JSON.stringify(settings), is_urgent: isUrgent, folders, ...edits };
    if (!(await insertTask(sql, task, columns))) return 'known';
    await sql.query('DELETE FROM files_in_doubt WHERE task_id = $1', [task.id]);
    return jobOf(task.id, task.kind, 1, isUrgent);
  });

export const createTaskTable = (database: Database, role: StoreRole, silentMs: number): TaskTable => {
  const columns = recordColumns(role);
  const ordered = inOrder();

  /** @returns the changed task; undefined if there is none */
  const change = (id: string, after: (task: Task) => Task): Promise<Task | undefined> =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, id, silentMs);
      if (!locked) return undefined;
      const task = after(locked.task);
      await saveTask(sql, role, locked, { task, ...(task.status === 'deleted' && { folders: [] }) });
      return task;
    });
  return {
    put: (task) =>
      ordered(task.id, async () => {
        if (!(await insertTask(database, task))) await change(task.id, () => task);
      }),
    update: (id, after) => ordered(id, async () => void (await change(id, after))),
    apply: (id, event) => ordered(id, () => change(id, (task) => reduceTask(task, event))),
    // Of the present worker, or of one that was cut off.
    mayBeWritten: (task) => workOf(task) !== null,
    get: async (id) => {
      const [row] = await database.query<TaskRow>(`SELECT ${columns} FROM tasks WHERE id = $1`, [id]);
      return row && taskOf(row);
    },
    holdsVideo: async () => {
      const [row] = await database.query<{ found: boolean }>(
        `SELECT EXISTS (
           SELECT 1 FROM tasks WHERE kind = 'video' AND status IN ('queued', 'processing', 'done')
         ) AS found`,
      );
      return row!.found;
    },
    remove: (id) => ordered(id, () => database.transaction((sql) => deleteTask(sql, id))),
    accept: (added, admission) => acceptIn(database, added, admission),
    page: async (limit, before) => {
      const start = readCursor(before);
      if (start === undefined) return undefined;
      const rows = await database.query<TaskRow & { arrival: string }>(
        `SELECT ${columns}, arrival FROM tasks WHERE arrival < $2 ORDER BY arrival DESC LIMIT $1`,
        [limit + 1, start],
      );
      return pageOf(
        rows.map((row) => ({ arrival: Number(row.arrival), task: taskOf(row) })),
        limit,
      );
    },
    countByStatus: async () => {
      const rows = await database.query<{ status: TaskStatus; tasks: number }>(
        'SELECT status, count(*)::int AS tasks FROM tasks GROUP BY status',
      );
      return Object.fromEntries(rows.map(({ status, tasks }) => [status, tasks]));
    },
    countUnfinished: async () => (await database.query<{ tasks: number }>(COUNT_UNFINISHED))[0]!.tasks,
  };
};
