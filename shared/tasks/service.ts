import pLimit from 'p-limit';
import type { RecordedDecision } from '../domain/decision';
import type { Task } from '../domain/task';
import type { VideoSupport } from '../ports/host-engine';
import type { Storage, TaskStore } from '../ports/storage';
import {
  type Admit,
  type ServiceLoad,
  type Submission,
  type IdempotencyKeys,
  acceptUpload,
  loadOf,
  createIdempotencyKeys,
  idempotencyOf,
} from './accept/accept-upload';
import {
  type TaskChanges,
  type WatchTask,
  awaitState,
  createTaskChanges,
  watchTasks,
} from './base/task-changes';
import { allTasks } from './base/task-records';
import { workOf, type JobStore } from './base/job-store';
import type { ServiceSettings, TaskPorts } from './base/settings';
import { createTaskEdits, outcomeOfEdits, type TaskEdits } from './edits/task-edits';
import { createResultReader, type ResultReader } from './files/results';
import { removeFilesAfter } from './files/task-files';
import { createLocalJobs } from './jobs/local-jobs';
import { createLocalWork, type WorkPool } from './jobs/local-work';
import { outcomeOf, type Outcome } from './run/outcome';
import { createWebhookDelivery } from './webhook/webhook-delivery';

export type DeleteScope = 'task-and-files' | 'only-files';

/** The tasks of a host: accepted, queued, run, kept and deleted. */
export interface TaskService extends ResultReader, VideoSupport {
  /** How much there is to do, before an upload is received. */
  load(): Promise<ServiceLoad>;
  /** The host is going down: no upload is accepted any more. */
  isStopping(): boolean;
  /** Whether an upload under this key would find a task that it stands for already. */
  isRepeated(idempotencyKey: string): Promise<boolean>;
  /**
   * Files the upload and queues its task, or finds the task that was accepted under the same key; the file is then
   * discarded, and so it is where the upload is refused.
   *
   * @param admit throws where the upload is refused under the present load; not asked where it is repeated
   * @returns once file and record are safe; `outcome` never rejects, and is waited for only if it is read
   * @throws KeyReused, or what `admit` throws
   */
  submit(
    submission: Submission,
    admit?: Admit,
  ): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
  /** Edits of results. */
  readonly edits: TaskEdits;
  /** Records what a person decided about single objects of a done task, instead of all decisions before. */
  decide(id: string, decisions: readonly RecordedDecision[]): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  readonly watch: WatchTask;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** See `TaskStore`. */
  page: TaskStore['page'];
  holdsVideo: TaskStore['holdsVideo'];
  /** Stops the task if it runs. @returns false where there is no such task */
  delete(id: string, scope: DeleteScope): Promise<boolean>;
  deleteAll(scope: DeleteScope): Promise<void>;
  /** Takes up what an earlier run of the host left unfinished. Call once, at start. */
  resume(): Promise<void>;
  /**
   * Ends all work cleanly; unfinished tasks resume at the next start.
   *
   * @param graceMs how long running tasks, or clients that wait for those of workers, may continue; 0 by default
   * @returns when nothing is written any more
   */
  stop(graceMs?: number): Promise<void>;
}

/** Tasks deleted at a time: each waits for the disk a few times. */
const CONCURRENT_DELETIONS = 16;

/** Why the end of a task is not waited for any more. */
type Unended = { readonly kind: 'deleted' } | { readonly kind: 'put-off' };

/** What tasks are made of. */
export interface TaskParts {
  readonly jobs: JobStore;
  readonly work: WorkPool;
  readonly changes: TaskChanges;
  /** The files of current results. */
  readonly results: Storage;
  readonly ports: Omit<TaskPorts, 'taskStore'>;
}

/** Deletes one task, or its files. */
const createRemoval =
  (jobs: JobStore, storage: Storage): TaskService['delete'] =>
  async (id, scope) => {
    const task = await jobs.get(id);
    if (!task) return false;
    const change = async (): Promise<void> => {
      if (scope === 'only-files') await jobs.apply(id, { type: 'files-deleted' });
      else await jobs.remove(id);
    };
    await removeFilesAfter(change, id, { storage, taskStore: jobs }, jobs.mayBeWritten(task));
    return true;
  };

/** Accepts uploads. Their outcome is waited for only if it is read. */
const createSubmit =
  (
    { jobs, work, ports }: TaskParts,
    settings: ServiceSettings,
    keys: IdempotencyKeys,
    awaitOutcome: (id: string) => Promise<Outcome>,
  ): TaskService['submit'] =>
  async (submission, admit) => {
    let isAccepted = false;
    try {
      const idempotency = await idempotencyOf(submission, ports.system);
      const task = await keys.once(idempotency, async () => {
        admit?.(await loadOf(jobs, settings));
        const own = await acceptUpload(submission, { idempotency, admit }, { ...ports, jobs }, settings);
        isAccepted = true;
        work.add(own.task, 'process', own.job);
        return own.task;
      });
      return {
        task,
        get outcome() {
          return awaitOutcome(task.id);
        },
      };
    } finally {
      if (!isAccepted) {
        await submission.file.discard();
        await submission.given?.file.discard();
      }
    }
  };

/**
 * Tasks over a store of jobs, and those who work on them.
 *
 * Uploads are accepted at any time, whatever is being processed; each task's result is kept until it is deleted.
 */
export const createTasks = (parts: TaskParts, settings: ServiceSettings): Omit<TaskService, 'resume'> => {
  const { jobs, work, changes, results, ports } = parts;
  const { storage, system, engine } = ports;
  const keys = createIdempotencyKeys(jobs, system);
  const stopping = new AbortController();
  const closing = new AbortController();
  const watch = watchTasks((id) => jobs.get(id), changes);
  const waiting = new Set<Promise<unknown>>();
  /** Counts who waits, until the service stops. */
  const counted = <T>(wait: Promise<T>): Promise<T> => {
    const own = wait.finally(() => waiting.delete(own));
    waiting.add(own);
    return own;
  };
  const awaitEnd = <S>(id: string, stateOf: (task: Task) => S | undefined): Promise<S | Unended> =>
    counted(
      awaitState<S | Unended>(
        () => watch(id, closing.signal),
        ports,
        { stateOf, gone: { kind: 'deleted' }, requeued: { kind: 'put-off' } },
        closing.signal,
      ),
    );
  const remove = createRemoval(jobs, storage);
  return {
    ...createResultReader({ engine, storage: results }, settings),
    takesVideo: engine.takesVideo,
    convertsVideo: engine.convertsVideo,
    load: () => loadOf(jobs, settings),
    isStopping: () => stopping.signal.aborted,
    isRepeated: keys.isKnown,
    submit: createSubmit(parts, settings, keys, (id) => work.outcome?.(id) ?? awaitEnd(id, outcomeOf)),
    edits: createTaskEdits({
      ...{ jobs, system, results },
      awaitEdits: async (id) => {
        const outcome = await awaitEnd(id, outcomeOfEdits);
        await work.whenIdle?.(id);
        return outcome;
      },
      add: (job, task) => work.add(task, 'edits', job),
    }),
    decide: async (id, decisions) => void (await jobs.apply(id, { type: 'decided', decisions })),
    get: (id) => jobs.get(id),
    watch,
    list: () => allTasks(jobs),
    page: (limit, before) => jobs.page(limit, before),
    holdsVideo: () => jobs.holdsVideo(),
    delete: remove,
    deleteAll: async (scope) => {
      const deletions = pLimit(CONCURRENT_DELETIONS);
      await Promise.all((await allTasks(jobs)).map(({ id }) => deletions(() => remove(id, scope))));
    },
    stop: async (graceMs) => {
      stopping.abort();
      await work.stop(graceMs, Promise.all(waiting));
      closing.abort();
      await Promise.all(waiting);
    },
  };
};

/** The tasks of a host of one process, which works on them itself. */
export const createTaskService = (ports: TaskPorts, settings: ServiceSettings): TaskService => {
  const changes = createTaskChanges();
  const jobs = createLocalJobs(ports, settings, changes.notify);
  const webhooks = ports.webhooks && createWebhookDelivery(ports.webhooks, ports, jobs);
  const work = createLocalWork(jobs, ports, settings, (id) => webhooks?.take(id));
  const tasks = createTasks({ jobs, work, changes, results: ports.storage, ports }, settings);
  return {
    ...tasks,
    edits: {
      ...tasks.edits,
      release: async (task, ...rest) => {
        const outcome = await tasks.edits.release(task, ...rest);
        webhooks?.take(task.id);
        return outcome;
      },
    },
    resume: async () => {
      for (const task of await jobs.recover()) {
        const kind = workOf(task);
        if (kind) work.add(task, kind);
        webhooks?.take(task.id);
      }
    },
    stop: async (graceMs) => {
      await tasks.stop(graceMs);
      await webhooks?.stop(); // last: tasks that end meanwhile still send notifications, if there is time
    },
  };
};
