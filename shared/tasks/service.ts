import type { ImageOptions } from '../pipeline/options';
import type { ImageFormat } from '../ports/engine';
import type { ReceivedFile } from '../ports/storage';
import type { System } from '../ports/system';
import { IMAGE_FORMATS } from './image-formats';
import { createQueue } from './queue';
import { createResultReader, type ResultReader } from './results';
import { failInterrupted, runTask, type Outcome } from './run-task';
import type { ServiceSettings } from './settings';
import type { Task } from './task';
import { removeTaskFiles, sourceKey } from './task-files';
import type { TaskPorts } from './task-ports';
import { createTaskRecords, type TaskRecords } from './task-records';
import { newWebhook, type WebhookTarget } from './webhook';
import { createWebhookDelivery } from './webhook-delivery';

/** A checked upload. */
export interface Submission {
  readonly file: ReceivedFile;
  /** Without folders or control characters. */
  readonly filename: string;
  readonly format: ImageFormat;
  readonly options: ImageOptions;
  /** Told once the task has ended; null: nobody. */
  readonly webhook: WebhookTarget | null;
}

export type DeleteScope = 'task-and-files' | 'only-files';

/** The tasks of one host: accepted, queued, run, kept and deleted. */
export interface TaskService extends ResultReader {
  /** Something is being processed or about to be. */
  isBusy(): boolean;
  /**
   * Files the upload and queues its task.
   *
   * @returns once file and record are safe; `outcome` never rejects
   */
  submit(submission: Submission): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** Stops the task if it runs. @returns false where there is no such task */
  delete(id: string, scope: DeleteScope): Promise<boolean>;
  deleteAll(scope: DeleteScope): Promise<void>;
  /** Takes up what an earlier run of the host left unfinished. Call once, at start. */
  resume(): Promise<void>;
  /** Sends no more notifications; the next start takes up what is due. @returns when those on their way are recorded */
  stopWebhooks(): Promise<void>;
}

const newTask = ({ filename, format, options, webhook }: Submission, system: System): Task => ({
  id: system.newId(),
  status: 'queued',
  progress: 0,
  kind: 'image',
  contentType: IMAGE_FORMATS[format].contentType,
  filename,
  options,
  createdAtMs: system.nowMs(),
  startedAtMs: null,
  finishedAtMs: null,
  error: null,
  webhook: webhook && newWebhook(webhook),
});

/** Queues tasks and runs them; remembers how to stop each. */
const createRunner = (ports: TaskPorts, settings: ServiceSettings, records: TaskRecords) => {
  const isSingleSlot = settings.hold === 'latest';
  const queue = createQueue(isSingleSlot ? 1 : settings.concurrency);
  const aborts = new Map<string, AbortController>();

  /** The container's single slot: what a new picture begins to be worked on deletes the picture before it. */
  const clearSlot = async (): Promise<void> => {
    for (const { id, status } of await records.list()) {
      if (status !== 'done' && status !== 'failed') continue;
      await records.apply(id, { type: 'files-deleted' });
      await removeTaskFiles(ports.storage, id);
    }
  };
  return {
    stop: (id: string): void => aborts.get(id)?.abort(),
    enqueue: (task: Task): Promise<Outcome> => {
      const abort = new AbortController();
      aborts.set(task.id, abort);
      return queue
        .run(async () => {
          if (isSingleSlot) {
            await clearSlot().catch((error) => ports.log.error('The slot was not cleared.', error));
          }
          return runTask(task, ports, settings, records, abort.signal);
        })
        .finally(() => aborts.delete(task.id));
    },
  };
};

/**
 * The task service over a host's ports.
 *
 * Uploads are accepted at any time, whatever is being processed; each task's result is kept until it is deleted.
 */
export const createTaskService = (ports: TaskPorts, settings: ServiceSettings): TaskService => {
  const { storage, system } = ports;
  const records = createTaskRecords(ports.taskStore);
  const runner = createRunner(ports, settings, records);
  let unfinished = 0;
  const webhooks = ports.webhooks && createWebhookDelivery(ports.webhooks, ports, records);
  const enqueue = (task: Task): Promise<Outcome> =>
    runner.enqueue(task).finally(() => {
      unfinished -= 1;
      webhooks?.take(task.id);
    });

  const accept = async (submission: Submission): Promise<Task> => {
    const task = newTask(submission, system);
    try {
      await submission.file.moveTo(sourceKey(task.id, submission.format));
      await records.add(task);
      return task;
    } catch (error) {
      unfinished -= 1;
      await submission.file.discard();
      await records.remove(task.id);
      await removeTaskFiles(storage, task.id);
      throw error;
    }
  };
  const remove = async (id: string, scope: DeleteScope): Promise<boolean> => {
    if (!(await records.get(id))) return false;
    runner.stop(id);
    if (scope === 'only-files') await records.apply(id, { type: 'files-deleted' });
    else await records.remove(id);
    await removeTaskFiles(storage, id);
    return true;
  };

  return {
    ...createResultReader(ports, settings),
    isBusy: () => unfinished > 0,
    submit: async (submission) => {
      unfinished += 1; // at once, so that of two synchronous uploads one finds the service busy
      const task = await accept(submission);
      return { task, outcome: enqueue(task) };
    },
    get: (id) => records.get(id),
    list: () => records.list(),
    delete: remove,
    deleteAll: async (scope) => {
      for (const { id } of await records.list()) await remove(id, scope);
    },
    resume: async () => {
      for (const task of [...(await records.list())].reverse()) {
        if (task.status === 'processing') await failInterrupted(task, ports, records);
        webhooks?.take(task.id);
        if (task.status !== 'queued') continue;
        await records.add(task); // in memory again, for its progress
        unfinished += 1;
        void enqueue(task);
      }
    },
    stopWebhooks: async () => webhooks?.stop(),
  };
};
