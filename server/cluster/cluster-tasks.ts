import { createTaskChanges, type TaskChanges } from '#shared/tasks/base/task-changes';
import { pause, repeat } from '#shared/tasks/base/repeat';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTasks, type TaskService } from '#shared/tasks/service';
import { enqueue, type ClusterPorts, type ApiPorts } from './cluster-ports';
import { resolvedStorage } from './layered-storage';
import { findNotification, pendingNotifications } from '#shared/domain/webhook';
import type { Task } from '#shared/domain/task';
import { createWebhookCaller, type NotificationKey } from '#shared/tasks/webhook/webhook-delivery';
import { outputFolder, removeFilesAfter } from '#shared/tasks/files/task-files';
import { retain, type EndedTasks, type RetentionSettings } from '#shared/tasks/retention';
import { reconcileFiles } from '#shared/tasks/jobs/recover';

export interface Intervals {
  /** Between two checks for lost and unqueued work. */
  readonly checkMs: number;
  /** A claim without a heartbeat for this long is lost. */
  readonly silentMs: number;
  /** A task that waits for this long is queued again, in case the queue has lost its job. */
  readonly requeueMs: number;
}

export const INTERVALS: Intervals = { checkMs: 10_000, silentMs: 45_000, requeueMs: 10_000 };

/** Jobs that are queued again at a time. Adding a job that the queue still has is cheap and has no effect. */
const JOBS_PER_CHECK = 1_000;
const FOLDERS_PER_CHECK = 500;
const DELETIONS_PER_CHECK = 500;
/** Storing an upload takes less: files without a record belong to a dead process after that. */
const UPLOAD_LIMIT_MS = 3_600_000;

/** Ends claims of dead workers, and queues everything that waits without a job. */
const requeue = async ({ store, queue, files }: ClusterPorts, intervals: Intervals): Promise<void> => {
  const { jobs, failed } = await store.endLostClaims(intervals.silentMs);
  await reconcileFiles(failed, files, store);
  if (jobs.length > 0) await queue.add(jobs);
  const waiting = await store.waitingJobs(intervals.requeueMs, JOBS_PER_CHECK);
  if (waiting.length > 0) await queue.add(waiting);
};

/** Removes files of attempts without a result, and of uploads and deletions that a dead process has left behind. */
const sweep = async ({ store, files }: ClusterPorts): Promise<void> => {
  const abandoned = await store.takeAbandonedFolders(FOLDERS_PER_CHECK);
  for (const { taskId, folder } of abandoned) await files.remove(`${outputFolder(taskId)}${folder}/`);
  // After the files: a process that dies in between leaves the row, and not files that nobody knows.
  if (abandoned.length > 0) await store.endSweeps(abandoned.map(({ folder }) => folder));
  await reconcileFiles(await store.filesInDoubtSince(UPLOAD_LIMIT_MS), files, store);
};

/** A part of the ids at a time: those of the part before are deleted then. */
async function* endedBefore({ store }: ClusterPorts, atMs: number): AsyncGenerator<string> {
  let ids: readonly string[];
  do yield* (ids = await store.endedBefore(atMs, DELETIONS_PER_CHECK));
  while (ids.length === DELETIONS_PER_CHECK);
}

/** What is old by the clock of the database, which is the same for all processes. */
const endedIn = (ports: ClusterPorts): EndedTasks => {
  const { store, files } = ports;
  return {
    nowMs: () => store.nowMs(),
    find: async (atMs) => ({ ...(await store.countEndedBefore(atMs)), ids: endedBefore(ports, atMs) }),
    delete: (id) => removeFilesAfter(() => store.remove(id), id, { storage: files, taskStore: store }),
    subjects: store.subjects,
  };
};

/**
 * Does what one process has to do for all: queues lost work again, removes files without a use, deletes old tasks.
 *
 * Every API process offers to do this; the store elects one, and another one when that dies.
 *
 * @param retention undefined: tasks are never deleted automatically
 * @returns a function that ends it
 */
export const coordinate = (
  ports: ClusterPorts,
  retention: RetentionSettings | undefined,
  intervals: Intervals = INTERVALS,
): (() => Promise<void>) =>
  ports.store.whenElected(async (signal) => {
    const every = (problem: string, run: () => Promise<void>): Promise<void> =>
      repeat({ everyMs: intervals.checkMs, problem }, run, ports, signal);
    await Promise.all([
      every('Lost work was not queued; it is tried again.', () => requeue(ports, intervals)),
      every('Unused files were not removed; it is tried again.', () => sweep(ports)),
      retention && retain(retention, endedIn(ports), ports, signal),
    ]);
  });

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
