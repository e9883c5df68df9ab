import type { Edits } from '#shared/domain/edits/edits';
import { randomUUID } from 'node:crypto';
import { reduceTask, type Task, type TaskEvent, hasPendingEdits } from '#shared/domain/task';
import { type Claim, workOf, type Job } from '#shared/tasks/base/job-store';
import type { TaskClaims, DueWork } from '../../cluster/shared-task-store';
import { beginAttempt } from './attempts';
import { LAZILY, type Database, type Sql, type Transaction } from './connect';
import {
  type LockedTask,
  type StoreRole,
  type TaskRow,
  lockTask,
  saveTask,
  isSilent,
  isActive,
  rowColumns,
  taskOf,
} from './locked-task';
import { eventOfLostWork } from '#shared/tasks/run/outcome';

export const createEdits = (
  database: Database,
  role: StoreRole,
  silentMs: number,
): Pick<TaskClaims, 'editState' | 'storeEdits' | 'stopEdits' | 'folders'> => ({
  editState: async (id) => {
    const [row] = await database.query<TaskRow & { wanted: Edits | null }>(
      `SELECT ${rowColumns(role)}, wanted FROM tasks WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const { wanted, folders, edit_version: version } = row;
    return { task: taskOf(row), wanted: wanted ?? undefined, folders, version };
  },
  storeEdits: (id, wanted, version) =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, id, silentMs);
      if (!locked || locked.task.status !== 'done' || locked.row.edit_version !== version) return undefined;
      return saveTask(sql, role, locked, {
        task: reduceTask(locked.task, { type: 'edit-queued' }),
        wanted,
        editVersion: version + 1,
        editAttempts: 0,
        // Somebody waits in front of an image; the edits of a video take minutes in any case.
        isUrgent: locked.task.kind === 'image',
      });
    }),
  stopEdits: (id, version) =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, id, silentMs);
      if (!locked || locked.row.edit_version !== version) return undefined;
      if (!hasPendingEdits(locked.task)) return false;
      await saveTask(sql, role, locked, {
        task: reduceTask(locked.task, { type: 'edit-stopped', laterWait: false }),
        editVersion: version + 1,
      });
      return true;
    }),
  folders: async (id) => {
    const [row] = await database.query<{ folders: string[] }>('SELECT folders FROM tasks WHERE id = $1', [
      id,
    ]);
    return row?.folders ?? [];
  },
});

/** Marks the files of a failed task, so that they are removed even if the process that should remove them dies. */
const noteFilesInDoubt = async (sql: Sql, id: string): Promise<void> => {
  await sql.query('INSERT INTO files_in_doubt (task_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
};

/**
 * Ends a claim whose worker is silent: the task waits again, or fails after its last attempt.
 *
 * The files of a failed task are marked, so that they are removed even if the caller does not do so.
 *
 * @returns the new job; `failed` if the task has failed
 */
const endLostClaim = async (
  sql: Transaction,
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

const reduceAll = (task: Task, events: readonly TaskEvent[]): Task => events.reduce(reduceTask, task);

/** Edits have an event of their own for work that is put off. */
const eventsOf = (work: Claim['work'], events: readonly TaskEvent[]): readonly TaskEvent[] =>
  work === 'process'
    ? events
    : events.map((event) => (event.type === 'put-off' ? { type: 'edit-queued' } : event));

/** The version changes with the latest accepted edits: failed ones are not accepted any more. */
const versionAfter = ({ task, row }: LockedTask, after: Task): number =>
  row.edit_version + (task.edit?.status !== 'failed' && after.edit?.status === 'failed' ? 1 : 0);

const begin = async (
  sql: Transaction,
  role: StoreRole,
  locked: LockedTask,
  worker: string,
): Promise<Claim | undefined> => {
  const { task, row, nowMs } = locked;
  const work = workOf(task);
  if (work === null || isActive(task) || !row.settings) return undefined;
  const token = randomUUID();
  const started = reduceTask(
    task,
    work === 'process' ? { type: 'started', atMs: nowMs } : { type: 'edit-started' },
  );
  await beginAttempt(sql, task.id, token);
  await saveTask(sql, role, locked, {
    task: started,
    claim: { token, worker },
    ...(work === 'edits' && { editAttempts: row.edit_attempts + 1 }),
  });
  const [edits] =
    work === 'edits'
      ? await sql.query<{ wanted: Edits | null }>('SELECT wanted FROM tasks WHERE id = $1', [task.id])
      : [];
  const { settings, folders } = row;
  return { token, work, task: started, settings, folders, wanted: edits?.wanted ?? undefined };
};

/** @param silentMs time without a heartbeat after which another worker may take a task over */
export const createClaims = (
  database: Database,
  role: StoreRole,
  silentMs: number,
): Pick<TaskClaims, 'claim' | 'heartbeat' | 'complete'> => {
  /** The locked task of a claim that has not ended. */
  const lockClaimed = async (sql: Sql, { task, token }: Claim): Promise<LockedTask | undefined> => {
    const locked = await lockTask(sql, role, task.id, silentMs);
    return locked?.row.token === token ? locked : undefined;
  };
  return {
    claim: (id, worker) =>
      database.transaction(async (sql) => {
        let locked = await lockTask(sql, role, id, silentMs);
        if (locked?.isLost) {
          await endLostClaim(sql, role, locked);
          locked = await lockTask(sql, role, id, silentMs);
        }
        return locked && begin(sql, role, locked, worker);
      }),
    heartbeat: async (claim, events) => {
      if (events.length > 0) {
        // Progress that a crash of the database loses is reported again.
        return database.transaction(async (sql) => {
          const locked = await lockClaimed(sql, claim);
          if (!locked) return false;
          const task = reduceAll(locked.task, events);
          if (!isActive(task)) throw new Error('A heartbeat contained an event that ends the work.');
          await saveTask(sql, role, locked, { task, isHeartbeat: true });
          return true;
        }, 'lazy');
      }
      const confirmed = await database.query(
        `UPDATE tasks SET heartbeat_at = now() WHERE id = $1 AND token = $2 RETURNING ${LAZILY}`,
        [claim.task.id, claim.token],
      );
      return confirmed.length > 0;
    },
    complete: (claim, events, folders) =>
      database.transaction(async (sql) => {
        const locked = await lockClaimed(sql, claim);
        if (!locked) return false;
        const task = reduceAll(locked.task, eventsOf(claim.work, events));
        if (isActive(task)) throw new Error('A claim was completed without an event that ends its work.');
        const isPutOff = workOf(task) === 'edits';
        const next = await saveTask(sql, role, locked, {
          task,
          ...(folders && { folders }),
          editVersion: versionAfter(locked, task),
          ...(isPutOff && { editAttempts: Math.max(0, locked.row.edit_attempts - 1) }),
        });
        if (task.status === 'failed') await noteFilesInDoubt(sql, task.id);
        return { next };
      }),
  };
};
