import pLimit from 'p-limit';
import type { Log, System } from '../../ports/system';
import type { WebhookPorts, WebhookCall, WebhookSigner } from '../../ports/webhooks';
import type { JobStore } from '../base/job-store';
import {
  type NotificationState,
  type WebhookOutcome,
  type WebhookTarget,
  type TaskEnding,
  findNotification,
  isFinal,
  outcomeMessage,
  pendingNotifications,
} from '../../domain/webhook';
import { applyRetryAfter, LONGEST_DELAY_MS, retryDelayMs } from './webhook-backoff';
import { isoTime } from '../base/iso-time';

const EVENT_TYPE = 'notification.processing.status.changed';

/** What a notification reports: the end of a task, or of an edit of its result, or a release of it. */
interface Reported {
  readonly taskId: string;
  /** Number of the edit; undefined for the task's own end. */
  readonly edit: number | undefined;
  readonly ending: TaskEnding;
}

/** The same for each call of a notification: receivers recognise a repetition by it. */
const messageId = ({ taskId, edit }: Reported): string =>
  edit === undefined ? `msg_${taskId}` : `msg_${taskId}_edit_${edit}`;

const messageBody = ({ taskId, edit, ending: { status, atMs, isRelease } }: Reported): string => {
  const after = isRelease ? { released: true } : { edited: true };
  return JSON.stringify({
    ts: isoTime(atMs),
    type: EVENT_TYPE,
    event: { id: taskId, status, ...(edit !== undefined && after) },
  });
};

/** @see https://www.standardwebhooks.com: header names, signed text, version prefix */
const signatureHeaders = (
  id: string,
  body: string,
  sentAtMs: number,
  signer: WebhookSigner,
): Record<string, string> => {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signer.sign(`${id}.${timestamp}.${body}`)}`,
  };
};

/**
 * A notification, ready to be sent.
 *
 * Body and id are the same at each attempt; timestamp and signature are the attempt's own, because receivers refuse
 * signatures that are minutes old, and a retry may be hours later.
 */
const webhookCall = (
  reported: Reported,
  { url, header }: WebhookTarget,
  sentAtMs: number,
  signer: WebhookSigner | null,
): WebhookCall => {
  const body = messageBody(reported);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Veil',
      ...(header ? { [header.name]: header.value } : {}),
      ...(signer ? signatureHeaders(messageId(reported), body, sentAtMs, signer) : {}),
    },
    body,
  };
};

export interface WebhookDelivery {
  /** Makes the calls that the task's record asks for, once they are due. */
  take(id: string): void;
  /** Makes no more calls; due deliveries stay in the records. @returns when running calls are recorded or aborted */
  stop(): Promise<void>;
}

/** A receiver that is slow to answer holds up no more than its share. */
const CONCURRENT_CALLS = 16;

/** How long running calls may take when the host stops. An aborted call is repeated later. */
const STOP_GRACE_MS = 2_000;

/** One notification of a task. */
export interface NotificationKey {
  readonly id: string;
  /** Number of the edit that it reports; undefined for the task's own end. */
  readonly edit: number | undefined;
}

interface PendingNotification extends NotificationState {
  readonly target: WebhookTarget;
}

const textOf = ({ id, edit }: NotificationKey): string => `${id} ${edit ?? ''}`;

/** What deliveries need next to their ports. */
interface DeliveryHost {
  readonly system: System;
  readonly log: Log;
}
type Records = Pick<JobStore, 'get' | 'apply'>;

/** Makes single calls. */
export const createWebhookCaller = (
  { sender, signer, random }: WebhookPorts,
  { system, log }: DeliveryHost,
  records: Records,
) => {
  const findPending = async ({ id, edit }: NotificationKey): Promise<PendingNotification | undefined> => {
    const webhook = (await records.get(id))?.webhook;
    const found = webhook && findNotification(webhook, edit);
    if (found?.status !== 'pending' || !webhook?.target) return undefined;
    return { ...found, target: webhook.target };
  };
  const record = async (
    { id, edit }: NotificationKey,
    attempts: number,
    outcome: WebhookOutcome,
  ): Promise<void> => {
    const atMs = system.nowMs();
    const delayMs = isFinal(outcome) ? null : retryDelayMs(attempts, random());
    const retryAtMs = delayMs === null ? null : atMs + applyRetryAfter(delayMs, outcome);
    await records.apply(id, { type: 'webhook-attempted', attempt: { edit, atMs, outcome, retryAtMs } });
    log.info(retryAtMs === null ? 'A webhook delivery has ended.' : 'A webhook delivery will be retried.', {
      task: id,
      ...(edit === undefined ? {} : { edit }),
      attempts,
      outcome: outcomeMessage(outcome),
    });
  };
  const call = async (key: NotificationKey): Promise<void> => {
    const pending = await findPending(key);
    if (!pending?.ending) return;
    const { ending, target, attempts } = pending;
    const reported = { taskId: key.id, edit: key.edit, ending };
    const outcome = await sender.post(webhookCall(reported, target, system.nowMs(), signer));
    await record(key, attempts + 1, outcome);
  };
  return { findPending, call };
};

/**
 * Delivers notifications, each at least once: a call whose outcome was not recorded, because the host went down, is
 * made again.
 *
 * What is due, and when, is read from the record each time, never remembered: a deletion or a restart in between
 * cannot leave a call behind that the record knows nothing of.
 */
export const createWebhookDelivery = (
  ports: WebhookPorts,
  host: DeliveryHost,
  records: Records,
): WebhookDelivery => {
  const { timer } = ports;
  const { system, log } = host;
  const { findPending, call } = createWebhookCaller(ports, host, records);
  const calls = pLimit(CONCURRENT_CALLS);
  /** By the text of the notification's key. */
  const timers = new Map<string, () => void>();
  /** Notifications whose call is running or about to. */
  const calling = new Set<string>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  const keep = (work: Promise<void>): void => {
    const run: Promise<void> = work
      .catch((error: unknown) => log.error('A webhook was not saved; the next start delivers it.', error))
      .finally(() => running.delete(run));
    running.add(run);
  };
  const callAndRetry = async (key: NotificationKey): Promise<void> => {
    try {
      await calls(async () => (stopped ? undefined : call(key)));
    } finally {
      calling.delete(textOf(key));
    }
    await schedule(key);
  };
  const schedule = async (key: NotificationKey): Promise<void> => {
    const pending = await findPending(key);
    const text = textOf(key);
    if (stopped || !pending || pending.nextAttemptAtMs === null || calling.has(text)) return;
    // At most: a clock that was set back must not put a call off for years.
    const delayMs = Math.min(Math.max(0, pending.nextAttemptAtMs - system.nowMs()), LONGEST_DELAY_MS);
    const start = (): void => {
      timers.delete(text);
      calling.add(text);
      keep(callAndRetry(key));
    };
    timers.get(text)?.();
    timers.set(text, timer.after(delayMs, start));
  };
  const scheduleAll = async (id: string): Promise<void> => {
    const webhook = (await records.get(id))?.webhook;
    if (!webhook) return;
    await Promise.all(pendingNotifications(webhook).map((edit) => schedule({ id, edit })));
  };
  return {
    take: (id) => keep(scheduleAll(id)),
    stop: async () => {
      stopped = true;
      for (const callOff of timers.values()) callOff();
      let callOffGrace = (): void => undefined;
      const grace = new Promise<void>((resolve) => {
        callOffGrace = timer.after(STOP_GRACE_MS, resolve);
      });
      await Promise.race([Promise.all(running), grace]);
      callOffGrace();
    },
  };
};
