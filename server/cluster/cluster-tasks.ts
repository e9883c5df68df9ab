import { createTaskChanges, type TaskChanges } from '#shared/tasks/base/task-changes';
import { pause, repeat } from '#shared/tasks/base/repeat';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTasks, type TaskService } from '#shared/tasks/service';
import { enqueue, type ClusterPorts, type ApiPorts } from './cluster-ports';
import { resolvedStorage } from './layered-storage';
import { findNotification, pendingNotifications } from '#shared/domain/webhook';
import type { Task } from '#shared/domain/task';
import { createWebhookCaller, type NotificationKey } from '#shared/tasks/webhook/webhook-delivery';

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
  const { call } = createWebhookCaller(webhooks, ports, store);
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

/** A report of a deletion may be lost with the connection to the database: readers look again after this time. */
const WAKE_MS = 10_000;

const wakeReaders = (changes: TaskChanges, ports: ClusterPorts, signal: AbortSignal): Promise<void> =>
  repeat(
    { everyMs: WAKE_MS, problem: 'Readers of tasks could not be woken.' },
    async () => changes.followed().forEach((id) => changes.notify(id)),
    ports,
    signal,
  );

/**
 * The tasks of all processes, for the API of one of them. Workers process them.
 *
 * It remembers nothing: every answer comes from the shared store, so that any API process answers any request.
 */
export const createClusterTasks = (ports: ClusterPorts, settings: ServiceSettings): TaskService => {
  const { store, files, timer } = ports;
  const closing = new AbortController();
  const changes = createTaskChanges();
  const endReports = store.onChange(changes.notify);
  void wakeReaders(changes, ports, closing.signal);
  const tasks = createTasks(
    {
      jobs: store,
      changes,
      results: resolvedStorage(files, (id) => store.folders(id)),
      ports: { ...ports, storage: files },
      work: {
        add: (_task, _work, job) => job && enqueue([job], ports),
        stop: async (graceMs = 0, clients) => {
          await Promise.race([clients, pause(graceMs, timer, closing.signal)]);
        },
      },
    },
    settings,
  );
  return {
    ...tasks,
    resume: async () => undefined,
    stop: async (graceMs) => {
      await tasks.stop(graceMs);
      closing.abort();
      endReports();
    },
  };
};
