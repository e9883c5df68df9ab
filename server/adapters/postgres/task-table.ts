import { reduceTask, type Task, type TaskStatus } from '#shared/domain/task';
import type { TaskStore } from '#shared/ports/storage';
import { endedAtMs } from '#shared/tasks/retention';
import { pageOf, readCursor } from '#shared/tasks/base/task-records';
import { createSerialCalls } from '#shared/tasks/base/weighted-queue';
import { jobOf, workOf, type Admission, type Job } from '#shared/tasks/base/job-store';
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
 * The statement that adds a row, with the id of the task as its first value; it returns a row if it has added one. Needs
 * the rights of the role `api`.
 *
 * Nothing is reported, because nobody follows a new task yet.
 */
const insertion = (
  task: Task,
  columns: Readonly<Record<string, unknown>> = {},
): { readonly text: string; readonly values: readonly unknown[] } => {
  const ended = endedAtMs(task) ?? null;
  const all = { id: task.id, ended_at_ms: ended, ...derivedColumns(task, 'api'), ...columns };
  const names = Object.keys(all);
  const places = names.map((_name, index) => `$${index + 1}`);
  return {
    text: `INSERT INTO tasks (${names.join(', ')}) VALUES (${places.join(', ')})
      ON CONFLICT (id) DO NOTHING RETURNING 1`,
    values: Object.values(all),
  };
};

/** Adds a task and ends its mark, in one statement: three answers fewer for which an upload waits. */
const add = async (
  sql: Sql,
  { task, settings, isUrgent, folders = [], wanted }: SharedTask,
): Promise<Job | 'known'> => {
  const edits = wanted && { wanted: JSON.stringify(wanted) };
  const { text, values } = insertion(task, {
    ...{ settings: JSON.stringify(settings), is_urgent: isUrgent, folders },
    ...edits,
  });
  const added = await sql.query(
    `WITH added AS (${text}), settled AS (
       DELETE FROM files_in_doubt WHERE task_id = $1 AND EXISTS (SELECT FROM added))
     SELECT 1 FROM added`,
    values,
  );
  return added.length > 0 ? jobOf(task.id, task.kind, 1, isUrgent) : 'known';
};

const COUNT_UNFINISHED = `SELECT count(*)::int AS tasks FROM tasks WHERE status IN ('queued', 'processing')`;

/** One admission at a time where there is a limit, so that parallel ones do not all find the same room. */
const acceptIn = (
  database: Database,
  added: SharedTask,
  { maxUnfinished }: Admission,
): ReturnType<TaskTable['accept']> => {
  if (maxUnfinished === undefined) return add(database, added);
  return database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1, $2)', ADVISORY_LOCKS.admission);
    const [unfinished] = await sql.query<{ tasks: number }>(COUNT_UNFINISHED);
    return unfinished!.tasks >= maxUnfinished ? 'full' : add(sql, added);
  });
};

export const createTaskTable = (database: Database, role: StoreRole, silentMs: number): TaskTable => {
  const columns = recordColumns(role);
  const ordered = createSerialCalls();

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
        const { text, values } = insertion(task);
        const added = await database.query(text, values);
        if (added.length === 0) await change(task.id, () => task);
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
