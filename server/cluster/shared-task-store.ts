import type { Task, TaskEvent, TaskStatus } from '#shared/domain/task';
import type { SubjectStore } from '#shared/ports/subject-store';
import type { TaskStore } from '#shared/ports/task-store';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { ServiceUnavailable } from '#shared/tasks/base/service-unavailable';
import type { WantedEdits } from '#shared/tasks/edits/wanted-edits';
import type { SegmentStore } from './segment-store';
import type { Job } from './work-queue';

/** Settings of the accepting API process that decide how a task is processed. Stored with the task. */
export type WorkSettings = Pick<
  ServiceSettings,
  'saveMask' | 'keepMetadata' | 'limits' | 'taskTimeoutMs' | 'taskTimeoutMsPerMegapixel'
>;

/** Folders of a task's result in the file store, oldest first. A file of a later folder hides that of an earlier one. */
export type ResultFolders = readonly string[];

/** The right of one worker to work on one task. It ends when another claim is made or the task is deleted. */
export interface Claim {
  /** UUID; also names the folder to which this attempt writes. */
  readonly token: string;
  readonly work: 'process' | 'edits';
  /**
   * As it is after the claim: `started` or `edit-started` is applied. May lack secrets of clients, which workers need
   * not know: the target of its webhook and its idempotency key.
   */
  readonly task: Task;
  readonly settings: WorkSettings;
  /** Folders of the current result; empty for `process`. */
  readonly folders: ResultFolders;
  /** The edits to apply; undefined for `process`. */
  readonly wanted: WantedEdits | undefined;
}

/**
 * Edits of one task.
 *
 * The version increments with each change of the latest accepted edits: when edits are stored, and when they fail.
 */
export interface EditState {
  readonly task: Task;
  readonly wanted: WantedEdits | undefined;
  readonly folders: ResultFolders;
  readonly version: number;
}

/** A task of a server without a role, with its result. */
export interface ImportedTask {
  /** Queued or ended; its edits are queued, have failed, or there are none. */
  readonly task: Task;
  readonly settings: WorkSettings;
  /** Folders of the result; empty if there is none. */
  readonly folders: ResultFolders;
  /** Edits that wait; undefined if there are none. */
  readonly wanted: WantedEdits | undefined;
}

export interface NewTask {
  readonly task: Task;
  readonly settings: WorkSettings;
  readonly isUrgent: boolean;
}

/** Limits under which a task is accepted. Both count queued and processing tasks of all API processes. */
export interface Admission {
  /** Undefined: no limit. */
  readonly maxUnfinished: number | undefined;
}

/** What clients and workers do with tasks. */
export interface TaskClaims {
  /**
   * Adds a task whose file is stored, in one transaction with the check of the limit and the end of its mark (see
   * `setFilesInDoubt`).
   *
   * @throws StoreUnavailable also if only the answer was lost: the task may exist, so its file must stay. If there is no
   *   task, the mark remains and the file is removed later
   */
  accept(task: NewTask, admission: Admission): Promise<Job | 'full'>;
  /**
   * Adds a task of another server after all tasks of the list, and ends the mark of its files.
   *
   * @returns `known` if there is a task with this id: nothing was changed. Otherwise its job, if it waits
   */
  addImported(imported: ImportedTask): Promise<{ readonly job: Job | undefined } | 'known'>;
  /** Applies an event of no attempt, such as a deletion. @returns the changed task; undefined if there is none */
  apply(id: string, event: TaskEvent): Promise<Task | undefined>;
  /**
   * Claims what is to be done for a task: processing, or edits.
   *
   * @param worker name of the worker, for operators
   * @returns undefined if nothing is to be done, or if another worker's claim is alive
   */
  claim(id: string, worker: string): Promise<Claim | undefined>;
  /**
   * Confirms a claim and stores progress.
   *
   * @param events progress; none that ends the work
   * @returns false if the claim has ended: the work must be aborted, its files removed
   */
  heartbeat(claim: Claim, events: readonly TaskEvent[]): Promise<boolean>;
  /**
   * Ends a claim with its last events, such as `finished`, `failed`, `edit-applied`, `put-off`. Files of a failed task
   * are in doubt (see `setFilesInDoubt`), because their removal may fail.
   *
   * @param folders the folders of the result from now on; undefined: unchanged
   * @returns false if the claim had ended before: nothing was changed. Otherwise the next job of the task, if there is
   *   one (`put-off`)
   */
  complete(
    claim: Claim,
    events: readonly TaskEvent[],
    folders?: ResultFolders,
  ): Promise<false | { readonly next: Job | undefined }>;
  /** @returns undefined if there is no such task */
  editState(id: string): Promise<EditState | undefined>;
  /**
   * Stores edits that replace all earlier ones; a running claim for edits ends.
   *
   * @returns undefined if the version is not the current one or the task is not done
   */
  storeEdits(id: string, wanted: WantedEdits, version: number): Promise<Job | undefined>;
  /**
   * Ends edits that wait or run, without a change of the result.
   *
   * @returns whether there were any; undefined if the version is not the current one
   */
  stopEdits(id: string, version: number): Promise<boolean | undefined>;
  /** @returns the folders of the result; empty if there is none */
  folders(id: string): Promise<ResultFolders>;
  countByStatus(): Promise<Partial<Record<TaskStatus, number>>>;
  countUnfinished(): Promise<number>;
}

/** Requests with the same key, in all API processes. */
export interface SharedKeys {
  /** @param key digest of an idempotency key @returns the newest task with this key */
  findByKey(key: string): Promise<Task | undefined>;
  /**
   * Runs one function at a time per key, among all processes. The key is free again if the process dies.
   *
   * @throws StoreUnavailable also if another process keeps the key for too long
   */
  exclusively<T>(key: string, run: () => Promise<T>): Promise<T>;
}

/** What is due, for any API process. */
export interface DueWork {
  /** Webhooks that are due; no other process gets them until `leaseMs` has passed. */
  takeDueWebhooks(limit: number, leaseMs: number): Promise<readonly Task[]>;
  /** Milliseconds since the epoch by the clock of the store, which all processes share. */
  nowMs(): Promise<number>;
  /** Ids of tasks that ended before this time by the clock of the store, oldest first. */
  endedBefore(atMs: number, limit: number): Promise<readonly string[]>;
  /** Number of those tasks, and of all tasks. */
  countEndedBefore(atMs: number): Promise<{ readonly due: number; readonly all: number }>;
  /**
   * Ends claims without a heartbeat since `silentMs`: the tasks are queued again, or fail after the third attempt
   * (edits: fail, and the result stays).
   *
   * Files of failed tasks are in doubt (see `setFilesInDoubt`) until the caller has removed them.
   */
  endLostClaims(
    silentMs: number,
  ): Promise<{ readonly jobs: readonly Job[]; readonly failed: readonly string[] }>;
  /** Jobs of tasks that wait since `olderThanMs` or longer: of each kind up to `limit`, urgent ones first, then oldest. */
  waitingJobs(olderThanMs: number, limit: number): Promise<readonly Job[]>;
  /**
   * Folders of attempts that are not, or no longer, part of a result, when they are due to be removed: 2 minutes, an
   * hour and a day after they were given up, because a worker that was cut off may write late. After the third time they
   * are due each hour until their sweeps are ended.
   */
  takeAbandonedFolders(
    limit: number,
  ): Promise<readonly { readonly taskId: string; readonly folder: string }[]>;
  /** Forgets those of these folders that were taken three times. Their files have been removed. */
  endSweeps(folders: readonly string[]): Promise<void>;
  /** Tasks whose mark (see `setFilesInDoubt`) has this age or more: the process that made it is gone. */
  filesInDoubtSince(olderThanMs: number): Promise<readonly string[]>;
}

/** Numbers for metrics. */
export interface WorkCounts {
  readonly waiting: number;
  readonly active: number;
  /** Age of the oldest waiting task; 0 if none waits. */
  readonly oldestWaitingMs: number;
  /** Claims that ended without a heartbeat, since the tables exist. */
  readonly lostHeartbeats: number;
  /** Sum of attempts of all stored tasks. */
  readonly attempts: number;
}

/** Task records that several processes share. All calls are atomic. */
export interface SharedTaskStore extends TaskStore, TaskClaims, SharedKeys, DueWork, SegmentStore {
  readonly subjects: SubjectStore;
  workCounts(): Promise<WorkCounts>;
  /**
   * Reports changes of tasks by any process, at least within a second. May report tasks without changes. New tasks need
   * not be reported, because nobody follows them yet. Removals during an interruption of the database are not reported,
   * so readers who wait must also look from time to time.
   *
   * @returns a function that ends the reports
   */
  onChange(report: (id: string) => void): () => void;
  /**
   * Runs a function while this process is the elected one. At most one process is.
   *
   * @param run receives a signal that aborts when the election is lost; called again after each election
   * @returns a function that resigns and resolves when `run` has ended
   */
  whenElected(run: (signal: AbortSignal) => Promise<void>): () => Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be reached, or does not answer in time. */
export class StoreUnavailable extends ServiceUnavailable {
  override readonly name = 'StoreUnavailable';

  constructor(message: string, options?: ErrorOptions) {
    super('The database of the service cannot be reached: try again in a moment.', message, options);
  }
}
