import type { Edits } from '#shared/domain/edits/edits';
import { randomUUID } from 'node:crypto';
import { reduceTask, type Task, type TaskEvent } from '#shared/domain/task';
import { type Claim, workOf } from '#shared/tasks/base/job-store';
import type { TaskClaims } from '../../cluster/shared-task-store';
import { beginAttempt } from './attempts';
import type { Database, Sql } from './connect';
import { lockTask, saveTask, type LockedTask } from './locked-task';
import { endLostClaim, noteFilesInDoubt } from './lost-claims';
import { isActive, type StoreRole } from './task-row';

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
  sql: Sql,
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
        'UPDATE tasks SET heartbeat_at = now() WHERE id = $1 AND token = $2 RETURNING 1',
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
