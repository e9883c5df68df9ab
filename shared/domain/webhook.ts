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

/** How a task ended, as reported to the receiver. A copy, because deletion changes the task's own status later. */
export interface TaskEnding {
  readonly status: 'done' | 'failed';
  readonly atMs: number;
}

/** The notification of a task and the state of its delivery. Stored with the task, so that it survives a restart. */
export interface Webhook {
  readonly status: WebhookStatus;
  /** Null as soon as no further call will be made, so that secrets are not kept longer than needed. */
  readonly target: WebhookTarget | null;
  readonly ending: TaskEnding | null;
  /** Number of calls so far. */
  readonly attempts: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastOutcome: WebhookOutcome | null;
  /** Null if no call is due. */
  readonly nextAttemptAtMs: number | null;
}

export interface WebhookAttempt {
  readonly atMs: number;
  readonly outcome: WebhookOutcome;
  /** Time of the next attempt; null if this was the last one, successful or not. */
  readonly retryAtMs: number | null;
}

export const newWebhook = (target: WebhookTarget): Webhook => ({
  status: 'waiting',
  target,
  ending: null,
  attempts: 0,
  lastAttemptAtMs: null,
  lastOutcome: null,
  nextAttemptAtMs: null,
});

/** The webhook of a task that has ended: the first call is due. */
export const announce = (webhook: Webhook | null, ending: TaskEnding): Webhook | null =>
  webhook && { ...webhook, status: 'pending', ending, nextAttemptAtMs: ending.atMs };

/** Cancels the webhook of a task that is deleted before its end. A task that has ended is reported although deleted. */
export const cancelUnannounced = (webhook: Webhook | null): Webhook | null =>
  webhook?.status === 'waiting' ? { ...webhook, status: 'cancelled', target: null } : webhook;

export const isDelivered = (outcome: WebhookOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** Whether no further call is made: delivered, or answered with 410 Gone, which refuses all further calls. */
export const isFinal = (outcome: WebhookOutcome): boolean =>
  isDelivered(outcome) || (outcome.kind === 'answered' && outcome.status === 410);

/** A public sentence, which contains neither address nor header. */
export const outcomeSentence = (outcome: WebhookOutcome): string => {
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

export const recordAttempt = (
  webhook: Webhook | null,
  { atMs, outcome, retryAtMs }: WebhookAttempt,
): Webhook | null => {
  if (webhook?.status !== 'pending') return webhook;
  const tried = {
    ...webhook,
    attempts: webhook.attempts + 1,
    lastAttemptAtMs: atMs,
    lastOutcome: outcome,
    nextAttemptAtMs: retryAtMs,
  };
  if (retryAtMs !== null) return tried;
  return { ...tried, status: isDelivered(outcome) ? 'delivered' : 'failed', target: null };
};
