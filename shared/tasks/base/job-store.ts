import type { Edits } from '../../domain/edits/edits';
import type { Task, TaskEvent } from '../../domain/task';
import type { TaskStore } from '../../ports/storage';
import { ServiceUnavailable } from './service-unavailable';
import type { ServiceSettings } from './settings';

/** Kinds of jobs that workers choose from (`--take`). */
export const WORK_KINDS = ['images', 'videos', 'segments'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** One piece of work. It contains no data: a worker reads the task from the store. */
export interface Job {
  /**
   * Names one attempt: adding a job with the id of a waiting or running job has no effect. After its end, the same id
   * can be added again. Letters, digits, `-` and `_`, with at least one character that is not a digit.
   */
  readonly id: string;
  readonly kind: WorkKind;
  readonly taskId: string;
  /** A client waits for the result: taken before all jobs that are not urgent. */
  readonly isUrgent: boolean;
}

const JOB_KINDS = { image: 'images', video: 'videos' } as const satisfies Record<Task['kind'], WorkKind>;

/** @param number counts the jobs of a task, because a queue may remember the ids of jobs that have ended */
export const jobOf = (taskId: string, kind: Task['kind'], number: number, isUrgent: boolean): Job => ({
  id: `${taskId}-${number}`,
  kind: JOB_KINDS[kind],
  taskId,
  isUrgent,
});

/** What is to be done for a task. */
export type Work = 'process' | 'edits';

export const workOf = ({ status, edit }: Task): Work | null => {
  if (status === 'queued' || status === 'processing') return 'process';
  return status === 'done' && (edit?.status === 'queued' || edit?.status === 'processing') ? 'edits' : null;
};

/** Settings of the accepting process that decide how a task is processed. Stored with the task of a cluster. */
export type WorkSettings = Pick<
  ServiceSettings,
  'saveMask' | 'keepMetadata' | 'limits' | 'taskTimeoutMs' | 'taskTimeoutMsPerMegapixel'
>;

/** Those among the settings of a process. */
export const workSettingsOf = (settings: WorkSettings): WorkSettings => {
  const { saveMask, keepMetadata = false, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel } = settings;
  return { saveMask, keepMetadata, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel };
};

/** Folders of a task's result in the file store, oldest first. A file of a later folder hides that of an earlier one. */
export type ResultFolders = readonly string[];

/** The right of one worker to work on one task. It ends when another claim is made or the task is deleted. */
export interface Claim {
  /** UUID; also names the folder to which this attempt writes, where each has one of its own. */
  readonly token: string;
  readonly work: Work;
  /**
   * As it is after the claim: `started` or `edit-started` is applied. May lack secrets of clients, which workers need
   * not know: the target of its webhook and its idempotency key.
   */
  readonly task: Task;
  readonly settings: WorkSettings;
  /** Folders of the current result; empty for `process`, and where attempts have no folders. */
  readonly folders: ResultFolders;
  /** The edits to apply; undefined for `process`. */
  readonly wanted: Edits | undefined;
}

/**
 * Edits of one task.
 *
 * The version increments with each change of the latest accepted edits: when edits are stored, and when they fail.
 */
export interface EditState {
  readonly task: Task;
  readonly wanted: Edits | undefined;
  readonly folders: ResultFolders;
  readonly version: number;
}

export interface NewTask {
  readonly task: Task;
  readonly settings: WorkSettings;
  readonly isUrgent: boolean;
}

/** Limits under which a task is accepted. Both count queued and processing tasks of all processes. */
export interface Admission {
  /** Undefined: no limit. */
  readonly maxUnfinished: number | undefined;
}

/**
 * Tasks, and the work on them: accepted, claimed by workers, completed. All calls are atomic.
 *
 * One process has them over its `TaskStore` (`jobs/local-jobs.ts`), a cluster in its database. Both pass the same
 * contract (`testing/job-contract.ts`).
 */
export interface JobStore extends Pick<
  TaskStore,
  'get' | 'page' | 'holdsVideo' | 'remove' | 'setFilesInDoubt'
> {
  /**
   * Adds a task whose file is stored, together with the check of the limit and the end of its mark (see
   * `setFilesInDoubt`).
   *
   * @returns `known` if there is a task with this id: nothing was changed
   * @throws StoreUnavailable also if only the answer was lost: the task may exist, so its file must stay. If there is no
   *   task, the mark remains and the file is removed later
   */
  accept(task: NewTask, admission: Admission): Promise<Job | 'full' | 'known'>;
  /** Applies an event of no attempt, such as a deletion. */
  apply(id: string, event: TaskEvent): Promise<unknown>;
  /** Whether a worker may still write files of this task, also if it is deleted now. */
  mayBeWritten(task: Task): boolean;
  /**
   * Claims what is to be done for a task: processing, or edits.
   *
   * @param worker name of the worker, for operators
   * @returns undefined if nothing is to be done, or if another worker's claim is alive
   */
  claim(id: string, worker: string): Promise<Claim | undefined>;
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
  storeEdits(id: string, wanted: Edits, version: number): Promise<Job | undefined>;
  /**
   * Ends edits that wait or run, without a change of the result.
   *
   * @returns whether there were any; undefined if the version is not the current one
   */
  stopEdits(id: string, version: number): Promise<boolean | undefined>;
  countUnfinished(): Promise<number>;
  /** @param key digest of an idempotency key @returns the newest task with this key */
  findByKey(key: string): Promise<Task | undefined>;
  /**
   * Runs one function at a time per key, among all processes. The key is free again if the process dies.
   *
   * @throws StoreUnavailable also if another process keeps the key for too long
   */
  exclusively<T>(key: string, run: () => Promise<T>): Promise<T>;
}

/** The store of a cluster cannot be reached, or does not answer in time. */
export class StoreUnavailable extends ServiceUnavailable {
  override readonly name = 'StoreUnavailable';

  constructor(message: string, options?: ErrorOptions) {
    super('The database of the service cannot be reached: try again in a moment.', message, options);
  }
}
