import pLimit from 'p-limit';
import type { Log } from '../../ports/log';
import type { System } from '../../ports/system';
import type { WebhookPorts } from '../../ports/webhook-sender';
import type { TaskRecords } from '../base/task-records';
import { isFinal, outcomeSentence, type WebhookOutcome } from '../../domain/webhook';
import { heedRetryAfter, LONGEST_DELAY_MS, retryDelayMs } from './webhook-backoff';
import { webhookCall } from './webhook-message';

export interface WebhookDelivery {
  /** Makes the call that the task's record asks for, if it asks for one, once that is due. */
  take(id: string): void;
  /** Makes no more calls; due deliveries stay in the records. @returns when running calls are recorded or aborted */
  stop(): Promise<void>;
}

/** A receiver that is slow to answer holds up no more than its share. */
const CONCURRENT_CALLS = 16;

/** How long running calls may take when the host stops. An aborted call is repeated later. */
const STOP_GRACE_MS = 2_000;

/**
 * Delivers notifications, each at least once: a call whose outcome was not recorded, because the host went down, is
 * made again.
 *
 * What is due, and when, is read from the record each time, never remembered: a deletion or a restart in between
 * cannot leave a call behind that the record knows nothing of.
 */
export const createWebhookDelivery = (
  { sender, signer, timer, random }: WebhookPorts,
  { system, log }: { readonly system: System; readonly log: Log },
  records: Pick<TaskRecords, 'get' | 'apply'>,
): WebhookDelivery => {
  const calls = pLimit(CONCURRENT_CALLS);
  const timers = new Map<string, () => void>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  const keep = (work: Promise<void>): void => {
    const run: Promise<void> = work
      .catch((error: unknown) => log.error('A webhook was not saved; the next start delivers it.', error))
      .finally(() => running.delete(run));
    running.add(run);
  };
  const record = async (id: string, attempts: number, outcome: WebhookOutcome): Promise<void> => {
    const atMs = system.nowMs();
    const delayMs = isFinal(outcome) ? null : retryDelayMs(attempts, random());
    const retryAtMs = delayMs === null ? null : atMs + heedRetryAfter(delayMs, outcome);
    await records.apply(id, { type: 'webhook-attempted', attempt: { atMs, outcome, retryAtMs } });
    log.info(retryAtMs === null ? 'A webhook delivery has ended.' : 'A webhook delivery will be retried.', {
      task: id,
      attempts,
      outcome: outcomeSentence(outcome),
    });
  };
  const call = async (id: string): Promise<void> => {
    const webhook = (await records.get(id))?.webhook;
    if (stopped || webhook?.status !== 'pending' || !webhook.target || !webhook.ending) return;
    const { target, ending, attempts } = webhook;
    const outcome = await sender.post(webhookCall(id, ending, target, system.nowMs(), signer));
    await record(id, attempts + 1, outcome);
    await schedule(id);
  };
  const schedule = async (id: string): Promise<void> => {
    const webhook = (await records.get(id))?.webhook;
    if (stopped || webhook?.status !== 'pending' || webhook.nextAttemptAtMs === null) return;
    // At most: a clock that was set back must not put a call off for years.
    const delayMs = Math.min(Math.max(0, webhook.nextAttemptAtMs - system.nowMs()), LONGEST_DELAY_MS);
    const start = (): void => {
      timers.delete(id);
      keep(calls(() => call(id)));
    };
    timers.get(id)?.();
    timers.set(id, timer.after(delayMs, start));
  };
  return {
    take: (id) => keep(schedule(id)),
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
