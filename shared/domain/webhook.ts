import { LIMITS } from './limits';

/** Outcome of a call. Redirects are not followed and count as answers. */
export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Delay that the receiver requests with `Retry-After`. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unreachable' }
  /** The host name resolved to an address that may not be called. */
  | { readonly kind: 'refused' };

/**
 * - `waiting`: the task has not ended yet
 * - `pending`: a call is due, now or later
 * - `delivered`: the receiver accepted a call
 * - `failed`: the last attempt failed, or the receiver answered 410
 * - `cancelled`: the task was deleted before it ended
 */
export const WEBHOOK_STATUSES = ['waiting', 'pending', 'delivered', 'failed', 'cancelled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Receiver that a client named at upload. Contains secrets: never logged or shown. */
export interface WebhookTarget {
  readonly url: string;
  /** An extra header of each call. */
  readonly header: { readonly name: string; readonly value: string } | null;
}

/**
 * How a task, or an edit of its result, ended, or that the result was released, as reported to the receiver. A copy, because deletion changes the task's
 * own status later.
 */
export interface TaskEnding {
  readonly status: 'done' | 'failed';
  readonly atMs: number;
  /** Not an edit has ended, but a reviewer has released the result. */
  readonly isRelease?: true;
}

/** One notification and the state of its delivery. */
export interface NotificationState {
  readonly status: WebhookStatus;
  readonly ending: TaskEnding | null;
  /** Number of calls so far. */
  readonly attempts: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastOutcome: WebhookOutcome | null;
  /** Null if no call is due. */
  readonly nextAttemptAtMs: number | null;
}

/** The notification of an edit that has ended, or of a release. */
export interface EditNotification extends NotificationState {
  /** Counts the notifications of a task's edits and releases from 1. */
  readonly edit: number;
}

/** The notifications of a task: of its own end, and of its edits. Stored with the task, so that they survive a restart. */
export interface Webhook extends NotificationState {
  /** Null as soon as no further call can follow, so that secrets are not kept longer than needed. */
  readonly target: WebhookTarget | null;
  /** Pending notifications of edits and the last one, oldest first. Absent if no edit has ended. */
  readonly edits?: readonly EditNotification[];
}

export interface WebhookAttempt {
  /** The edit whose notification was sent; undefined for that of the task's own end. */
  readonly edit: number | undefined;
  readonly atMs: number;
  readonly outcome: WebhookOutcome;
  /** Time of the next attempt; null if this was the last one, successful or not. */
  readonly retryAtMs: number | null;
}

const NOT_TRIED = { attempts: 0, lastAttemptAtMs: null, lastOutcome: null } as const;

export const newWebhook = (target: WebhookTarget): Webhook => ({
  status: 'waiting',
  target,
  ending: null,
  ...NOT_TRIED,
  nextAttemptAtMs: null,
});

const isPending = ({ status }: NotificationState): boolean => status === 'pending';

/** The notification of an edit, or of the task's own end. */
export const findNotification = (webhook: Webhook, edit: number | undefined): NotificationState | undefined =>
  edit === undefined ? webhook : webhook.edits?.find((one) => one.edit === edit);

/** Notifications for which a call is due: numbers of edits, and undefined for the task's own end. */
export const pendingNotifications = (webhook: Webhook): readonly (number | undefined)[] => [
  ...(isPending(webhook) ? [undefined] : []),
  ...(webhook.edits ?? []).filter(isPending).map(({ edit }) => edit),
];

/** The webhook of a task that has ended: the first call is due. */
export const announce = (webhook: Webhook | null, ending: TaskEnding): Webhook | null =>
  webhook && { ...webhook, status: 'pending', ending, nextAttemptAtMs: ending.atMs };

/** Of ended notifications only the last one is kept, whose number the next one follows. */
const withoutEnded = (edits: readonly EditNotification[]): readonly EditNotification[] =>
  edits.filter((one, i) => isPending(one) || i === edits.length - 1);

/** The webhook of a task of which an edit has ended, or that was released: a call is due. Unchanged where the receiver refused all calls. */
export const announceEdit = (webhook: Webhook | null, ending: TaskEnding): Webhook | null => {
  if (!webhook?.target) return webhook;
  const { edits = [] } = webhook;
  const edit = (edits.at(-1)?.edit ?? 0) + 1;
  const latest = { edit, status: 'pending', ending, ...NOT_TRIED, nextAttemptAtMs: ending.atMs } as const;
  return { ...webhook, edits: withoutEnded([...edits, latest]).slice(-LIMITS.maxPendingEditWebhooks) };
};

/** Without the target if no call can follow. @param isEditable whether edits may follow, which are reported */
const withoutIdleTarget = (webhook: Webhook, isEditable: boolean): Webhook =>
  isEditable || webhook.status === 'waiting' || pendingNotifications(webhook).length > 0
    ? webhook
    : { ...webhook, target: null };

/**
 * The webhook of a task whose files are deleted. A task that is deleted before its end is not reported. One that has
 * ended is reported although deleted, and so are its edits.
 */
export const cancelUnannounced = (webhook: Webhook | null): Webhook | null =>
  webhook &&
  withoutIdleTarget(webhook.status === 'waiting' ? { ...webhook, status: 'cancelled' } : webhook, false);

export const isDelivered = (outcome: WebhookOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** Whether the receiver refuses all further calls: 410 Gone. */
const refusesAll = (outcome: WebhookOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status === 410;

/** Whether a notification is not sent again: it was delivered or refused for good. */
export const isFinal = (outcome: WebhookOutcome): boolean => isDelivered(outcome) || refusesAll(outcome);

/** A public sentence, which contains neither address nor header. */
export const outcomeMessage = (outcome: WebhookOutcome): string => {
  switch (outcome.kind) {
    case 'answered':
      return `The receiver answered with status ${outcome.status}.`;
    case 'timed-out':
      return 'The receiver did not answer in time.';
    case 'unreachable':
      return 'The receiver could not be reached.';
    case 'refused':
      return 'The receiver has an address that may not be called.';
  }
};

const attempted = <N extends NotificationState>(
  notification: N,
  { atMs, outcome, retryAtMs }: WebhookAttempt,
): N => {
  if (!isPending(notification)) return notification;
  const tried = {
    ...notification,
    attempts: notification.attempts + 1,
    lastAttemptAtMs: atMs,
    lastOutcome: outcome,
    nextAttemptAtMs: retryAtMs,
  };
  if (retryAtMs !== null) return tried;
  return { ...tried, status: isDelivered(outcome) ? 'delivered' : 'failed' };
};

/** The webhook with a change of each notification of an edit. */
const withEdits = (webhook: Webhook, change: (one: EditNotification) => EditNotification): Webhook =>
  webhook.edits ? { ...webhook, edits: withoutEnded(webhook.edits.map(change)) } : webhook;

const givenUp = <N extends NotificationState>(notification: N): N =>
  isPending(notification) ? { ...notification, status: 'failed', nextAttemptAtMs: null } : notification;

/** @param isEditable whether edits of the task may follow, which are reported */
export const recordAttempt = (
  webhook: Webhook | null,
  attempt: WebhookAttempt,
  isEditable: boolean,
): Webhook | null => {
  if (!webhook) return null;
  const { edit, outcome } = attempt;
  const tried =
    edit === undefined
      ? attempted(webhook, attempt)
      : withEdits(webhook, (one) => (one.edit === edit ? attempted(one, attempt) : one));
  if (!refusesAll(outcome)) return withoutIdleTarget(tried, isEditable);
  return { ...withEdits(givenUp(tried), givenUp), target: null };
};
