/** What became of a call. Redirects are answers like any other: they are not followed. */
export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** How long the receiver asks to be left alone (`Retry-After`). */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unreachable' }
  /** The name led to an address that may not be called. */
  | { readonly kind: 'refused' };

/**
 * - `waiting`: the task has not ended yet
 * - `pending`: there is a call to make
 * - `delivered`, `failed`: the receiver has it; no call is left
 * - `cancelled`: the task was deleted before it ended
 */
export const WEBHOOK_STATUSES = ['waiting', 'pending', 'delivered', 'failed', 'cancelled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Whom a client wants to be called, as it said at upload. Holds secrets: never logged, never shown. */
export interface WebhookTarget {
  readonly url: string;
  /** Sent with each call. */
  readonly header: { readonly name: string; readonly value: string } | null;
}

/** How a task ended: what the receiver is told. Of its own, as deletion changes the task's status later. */
export interface TaskEnding {
  readonly status: 'done' | 'failed';
  readonly atMs: number;
}

/** The one notification of a task, and how far its delivery has got. Kept with the task, so that it survives a restart. */
export interface Webhook {
  readonly status: WebhookStatus;
  /** Null as soon as no call is left to make: secrets are kept no longer than they are of use. */
  readonly target: WebhookTarget | null;
  readonly ending: TaskEnding | null;
  /** Calls made. */
  readonly attempts: number;
  readonly lastAttemptAtMs: number | null;
  readonly lastOutcome: WebhookOutcome | null;
  /** Null where no call is left to make. */
  readonly nextAttemptAtMs: number | null;
}

export interface WebhookAttempt {
  readonly atMs: number;
  readonly outcome: WebhookOutcome;
  /** Null: this was the last one, whatever came of it. */
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

/** The task has ended: the first call is due. */
export const announce = (webhook: Webhook | null, ending: TaskEnding): Webhook | null =>
  webhook && { ...webhook, status: 'pending', ending, nextAttemptAtMs: ending.atMs };

/** A task that never ends has nothing to tell; one that has ended is told of, deleted or not. */
export const cancelUnannounced = (webhook: Webhook | null): Webhook | null =>
  webhook?.status === 'waiting' ? { ...webhook, status: 'cancelled', target: null } : webhook;

export const isDelivered = (outcome: WebhookOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** 410 Gone: the receiver asks never to be called again. */
export const isFinal = (outcome: WebhookOutcome): boolean =>
  isDelivered(outcome) || (outcome.kind === 'answered' && outcome.status === 410);

/** Public: names neither address nor header. */
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
