import type { Task } from '#shared/domain/task';
import { findNotification, pendingNotifications, type WebhookTarget } from '#shared/domain/webhook';
import { workOf, type WorkSettings } from '#shared/tasks/base/job-store';

/** Which program uses the tables. A worker's database user cannot read secrets of clients: see `migrate.ts`. */
export type StoreRole = 'api' | 'worker';

/** Columns with secrets of clients. */
export const SECRET_COLUMNS = ['webhook_target', 'idempotency_key', 'idempotency_request'] as const;

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
