import { findNotification, pendingNotifications } from '#shared/domain/webhook';
import type { Task } from '#shared/domain/task';
import { createWebhookCaller, type NotificationKey } from '#shared/tasks/webhook/webhook-delivery';
import { repeat } from '#shared/tasks/base/repeat';
import type { ApiPorts } from './cluster-ports';

/** Interval of the search for due notifications. */
const CHECK_MS = 1_000;
const CALLS_AT_ONCE = 16;
/** Another process repeats a call whose process died. Longer than a call may take. */
const LEASE_MS = 60_000;

const dueOf = ({ id, webhook }: Task, nowMs: number): readonly NotificationKey[] => {
  if (!webhook) return [];
  return pendingNotifications(webhook)
    .filter((edit) => (findNotification(webhook, edit)?.nextAttemptAtMs ?? Infinity) <= nowMs)
    .map((edit) => ({ id, edit }));
};

/**
 * Delivers notifications of all processes' tasks, each at least once and by one process at a time.
 *
 * @returns a function that ends it, after running calls
 */
export const deliverWebhooks = (ports: ApiPorts): (() => Promise<void>) => {
  const { store, system, log, webhooks } = ports;
  const { call } = createWebhookCaller(
    webhooks,
    { system, log },
    {
      get: (id) => store.get(id),
      apply: async (id, event) => void (await store.apply(id, event)),
    },
  );
  const callOnce = (key: NotificationKey): Promise<void> =>
    call(key).catch((error: unknown) => log.error('A webhook was not saved; it is delivered again.', error));
  const stop = new AbortController();
  const deliver = async (): Promise<void> => {
    for (let taken = CALLS_AT_ONCE; taken === CALLS_AT_ONCE && !stop.signal.aborted;) {
      const tasks = await store.takeDueWebhooks(CALLS_AT_ONCE, LEASE_MS);
      const due = tasks.flatMap((task) => dueOf(task, system.nowMs()));
      await Promise.all(due.map(callOnce));
      taken = tasks.length;
    }
  };
  const ended = repeat(
    { everyMs: CHECK_MS, problem: 'Webhooks could not be delivered; they are tried again.' },
    deliver,
    ports,
    stop.signal,
  );
  return async () => {
    stop.abort();
    await ended;
  };
};
