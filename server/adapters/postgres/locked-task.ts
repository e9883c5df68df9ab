import type { Edits } from '#shared/domain/edits/edits';
import type { Task } from '#shared/domain/task';
import { endedAtMs } from '#shared/tasks/retention';
import { type Job, jobOf, workOf, type WorkSettings } from '#shared/tasks/base/job-store';
import { abandonAttempts } from './attempts';
import type { Sql, Transaction } from './connect';
import { findNotification, pendingNotifications, type WebhookTarget } from '#shared/domain/webhook';

/** Which program uses the tables. A worker's database user cannot read secrets of clients: see `migrate.ts`. */
export type StoreRole = 'api' | 'worker';

/** Columns with secrets of clients. */
const SECRET_COLUMNS = ['webhook_target', 'idempotency_key', 'idempotency_request'] as const;

interface RecordRow {
  readonly record: Task;
  /** Absent for workers, like the other secrets. */
  readonly webhook_target?: WebhookTarget | null;
  readonly has_webhook_target?: boolean;
  readonly idempotency_key?: string | null;
  readonly idempotency_request?: string | null;
}

/** A row of `tasks` as it is read for a change. */
export interface TaskRow extends RecordRow {
  readonly settings: WorkSettings | null;
  readonly is_urgent: boolean;
  readonly job_number: number;
  readonly token: string | null;
  readonly folders: readonly string[];
  readonly edit_version: number;
  readonly edit_attempts: number;
}

/** Columns of a task. */
export const recordColumns = (role: StoreRole): string =>
  ['record', ...(role === 'api' ? SECRET_COLUMNS : ['has_webhook_target'])].join(', ');

/** Stands for a target that workers cannot read, so that the end of edits is announced. It is never stored. */
const HIDDEN_TARGET: WebhookTarget = { url: '', header: null };

/** Columns of a {@link TaskRow}. */
export const rowColumns = (role: StoreRole): string =>
  `${recordColumns(role)}, settings, is_urgent, job_number, token, folders, edit_version, edit_attempts`;

/** The task of a row, with the secrets that were read. */
export const taskOf = (row: RecordRow): Task => {
  const { record: task } = row;
  const hidden = row.has_webhook_target === true ? HIDDEN_TARGET : null;
  const { webhook_target: target = hidden, idempotency_key: key, idempotency_request: request } = row;
  return {
    ...task,
    webhook: task.webhook && { ...task.webhook, target },
    ...(key != null && request != null && { idempotency: { key, request } }),
  };
};

const recordOf = ({ idempotency: _secret, ...task }: Task): string =>
  JSON.stringify({ ...task, webhook: task.webhook && { ...task.webhook, target: null } });

/** When the next notification of a task is due; null if none is. */
const webhookDueAtMs = ({ webhook }: Task): number | null => {
  const due = webhook ? pendingNotifications(webhook) : [];
  const times = due.flatMap((edit) => (webhook && findNotification(webhook, edit)?.nextAttemptAtMs) ?? []);
  return times.length === 0 ? null : Math.min(...times);
};

/** Whether a worker is at it, according to the record. */
export const isActive = ({ status, edit }: Task): boolean =>
  status === 'processing' || (status === 'done' && edit?.status === 'processing');

/** Values of columns that follow from a task's record. */
export const derivedColumns = (task: Task, role: StoreRole): Readonly<Record<string, unknown>> => ({
  record: recordOf(task),
  kind: task.kind,
  status: task.status,
  attempts: task.attempts,
  work: workOf(task),
  webhook_due_at_ms: webhookDueAtMs(task),
  ...(role === 'api' && {
    webhook_target: task.webhook?.target ? JSON.stringify(task.webhook.target) : null,
    idempotency_key: task.idempotency?.key ?? null,
    idempotency_request: task.idempotency?.request ?? null,
  }),
});

/**
 * SQL condition: a claim has no heartbeat since `milliseconds`, or there is no claim.
 *
 * A restart of the database silences all workers, so their silence counts from its start.
 */
export const isSilent = (milliseconds: string): string =>
  `(token IS NULL OR greatest(heartbeat_at, pg_postmaster_start_time()) < now() - ${milliseconds} * interval '1 ms')`;

/** A task whose row is locked until the end of the transaction. */
export interface LockedTask {
  readonly task: Task;
  readonly row: TaskRow;
  /** Time of the database. */
  readonly nowMs: number;
  /** Whether the record describes running work, but no worker confirms it. */
  readonly isLost: boolean;
}

/** @param silentMs time without a heartbeat after which a claim is lost @returns undefined if there is no such task */
export const lockTask = async (
  sql: Sql,
  role: StoreRole,
  id: string,
  silentMs: number,
): Promise<LockedTask | undefined> => {
  const [row] = await sql.query<TaskRow & { now_ms: number; is_silent: boolean }>(
    `SELECT ${rowColumns(role)}, floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms,
       ${isSilent('$2')} AS is_silent
     FROM tasks WHERE id = $1 FOR UPDATE`,
    [id, silentMs],
  );
  if (!row) return undefined;
  const task = taskOf(row);
  return { task, row, nowMs: row.now_ms, isLost: isActive(task) && row.is_silent };
};

/** New values of a task. Absent ones stay as they are. */
export interface TaskChange {
  readonly task: Task;
  /** A new claim. */
  readonly claim?: { readonly token: string; readonly worker: string };
  /** The worker confirms its claim. */
  readonly isHeartbeat?: boolean;
  readonly folders?: readonly string[];
  readonly wanted?: Edits;
  readonly editVersion?: number;
  readonly editAttempts?: number;
  readonly isUrgent?: boolean;
}

/** Columns of claim, job and edits after a change. */
const workColumns = ({ task: before, row }: LockedTask, change: TaskChange) => {
  const { task, claim, wanted } = change;
  const isRunning = isActive(task);
  const isRequeued = workOf(task) !== null && !isRunning && (isActive(before) || wanted !== undefined);
  const columns = {
    token: isRunning ? (claim?.token ?? row.token) : null,
    folders: change.folders ?? row.folders,
    job_number: row.job_number + Number(isRequeued),
    is_urgent: change.isUrgent ?? row.is_urgent,
    edit_version: change.editVersion ?? row.edit_version,
    edit_attempts: change.editAttempts ?? row.edit_attempts,
  };
  return { columns, isRequeued };
};

/** Assignments of times of the database, and of nothing. */
const fixedAssignments = (
  { task, claim, isHeartbeat }: TaskChange,
  isRequeued: boolean,
  isClaimed: boolean,
): string[] => [
  'changed_at = now()',
  ...(isRequeued ? ['waiting_since = now()'] : []),
  ...(claim || isHeartbeat ? ['heartbeat_at = now()'] : []),
  ...(isClaimed ? [] : ['worker = NULL', 'heartbeat_at = NULL']),
  ...(workOf(task) === 'edits' ? [] : ['wanted = NULL']),
];

/**
 * The end of a task by the clock of the database, with which retention compares it: that of a worker may be wrong.
 * Unchanged once the task has ended.
 */
const endColumn = ({ task: before, nowMs }: LockedTask, { task }: TaskChange) => {
  if (endedAtMs(task) === undefined) return { ended_at_ms: null };
  return endedAtMs(before) === undefined ? { ended_at_ms: nowMs } : {};
};

/**
 * Stores a changed task.
 *
 * The record decides about the claim: it ends as soon as the record describes no running work. The folder of its
 * attempt is then abandoned, unless it is part of the result.
 *
 * @returns the new job of a task that waits (again)
 */
export const saveTask = async (
  sql: Transaction,
  role: StoreRole,
  locked: LockedTask,
  change: TaskChange,
): Promise<Job | undefined> => {
  const { row } = locked;
  const { task, claim, wanted } = change;
  const { columns: work, isRequeued } = workColumns(locked, change);
  const columns: Readonly<Record<string, unknown>> = {
    ...derivedColumns(task, role),
    ...endColumn(locked, change),
    ...work,
    ...(claim && { worker: claim.worker }),
    ...(wanted && { wanted: JSON.stringify(wanted) }),
  };
  const names = Object.keys(columns);
  const placeholder = (name: string): string => `$${names.indexOf(name) + 2}`;
  await sql.query(
    `UPDATE tasks SET ${names.map((name) => `${name} = ${placeholder(name)}`).join(', ')},
       webhook_leased_until = CASE WHEN webhook_due_at_ms IS NOT DISTINCT FROM ${placeholder('webhook_due_at_ms')}
         THEN webhook_leased_until END,
       ${fixedAssignments(change, isRequeued, work.token !== null).join(', ')}
     WHERE id = $1`,
    [task.id, ...Object.values(columns)],
  );
  sql.report(task.id);
  const isProcessed = workOf(locked.task) === 'process' && workOf(task) !== 'process';
  if (isProcessed && task.kind === 'video') {
    await sql.query('DELETE FROM segments WHERE task_id = $1', [task.id]);
  }
  const { token, folders } = work;
  if ((row.token !== null && token !== row.token) || folders !== row.folders) {
    await abandonAttempts(sql, task.id, { token, folders, earlierFolders: row.folders });
  }
  return isRequeued ? jobOf(task.id, task.kind, work.job_number, work.is_urgent) : undefined;
};

/** Deletes a task. An attempt that is still written is abandoned. */
export const deleteTask = async (sql: Transaction, id: string): Promise<void> => {
  const deleted = await sql.query('DELETE FROM tasks WHERE id = $1 RETURNING 1', [id]);
  if (deleted.length > 0) sql.report(id);
  await abandonAttempts(sql, id, { token: null, folders: [], earlierFolders: [] });
};
