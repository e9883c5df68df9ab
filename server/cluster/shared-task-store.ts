import type { Task, TaskEvent, TaskStatus } from '#shared/domain/task';
import type { SubjectStore, TaskStore } from '#shared/ports/storage';
import type {
  Admission,
  Claim,
  EditState,
  Job,
  JobStore,
  NewTask,
  ResultFolders,
} from '#shared/tasks/base/job-store';
import type { Failure } from '#shared/domain/failure';
import type { Segment } from '#shared/engine/segments/plan-segments';
import type { ServiceSettings } from '#shared/tasks/base/settings';

/** The right of one worker to analyse one segment. It ends when another worker takes it or the task ends. */
export interface SegmentClaim {
  /** UUID; also names the file of the result. */
  readonly token: string;
  readonly task: Task;
  /** Those with which its task was accepted. */
  readonly settings: Pick<ServiceSettings, 'limits'>;
  /** From 0. */
  readonly number: number;
  readonly segment: Segment;
}

export interface SegmentRecord {
  readonly number: number;
  readonly segment: Segment;
  /** One whose worker is silent counts as `waiting`. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Of the latest claim; null while it waits. */
  readonly token: string | null;
  readonly attempts: number;
  /** Of the latest claim. */
  readonly framesDone: number;
  /** Why it failed; null unless it did. */
  readonly failure: Failure | null;
}

/**
 * Segments of videos that are analysed by several workers.
 *
 * They exist as long as their task waits or is processed: its end, in whichever way, ends them.
 */
export interface SegmentStore {
  /**
   * Stores the segments of a claimed task, unless an earlier claim has done so: what is analysed stays so.
   *
   * @returns all segments in order; undefined if the claim has ended
   */
  planSegments(
    claim: { readonly task: Pick<Task, 'id'>; readonly token: string },
    segments: readonly Segment[],
  ): Promise<readonly SegmentRecord[] | undefined>;
  /** @returns all segments in order; empty if there are none (any more) */
  segmentsOf(taskId: string): Promise<readonly SegmentRecord[]>;
  /**
   * Claims the first segment that waits, or whose worker is silent. One that was interrupted three times fails instead.
   *
   * @returns undefined if there is none
   */
  claimSegment(taskId: string, worker: string): Promise<SegmentClaim | undefined>;
  /** @returns false if the claim has ended: the work must be aborted */
  heartbeatSegment(claim: SegmentClaim, framesDone: number): Promise<boolean>;
  /** Ends a claim; also again. @returns false if it had ended in another way: its file must be removed */
  completeSegment(claim: SegmentClaim): Promise<boolean>;
  /** Ends a claim: the task must fail. */
  failSegment(claim: SegmentClaim, failure: Failure): Promise<void>;
  /** Ends a claim without counting it as an attempt: the segment waits again. */
  requeueSegment(claim: SegmentClaim): Promise<void>;
}

/** An upload, or a task of a server without a role: queued or ended, with its result and the edits that wait. */
export type SharedTask = NewTask & Partial<Pick<EditState, 'folders' | 'wanted'>>;

/** What a cluster does with tasks in addition. */
export interface TaskClaims extends JobStore {
  accept(task: SharedTask, admission: Admission): ReturnType<JobStore['accept']>;
  /** @returns the changed task; undefined if there is none */
  apply(id: string, event: TaskEvent): Promise<Task | undefined>;
  /**
   * Confirms a claim and stores progress.
   *
   * @param events progress; none that ends the work
   * @returns false if the claim has ended: the work must be aborted, its files removed
   */
  heartbeat(claim: Claim, events: readonly TaskEvent[]): Promise<boolean>;
  /** @returns the folders of the result; empty if there is none */
  folders(id: string): Promise<ResultFolders>;
  countByStatus(): Promise<Partial<Record<TaskStatus, number>>>;
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
export interface SharedTaskStore extends TaskStore, TaskClaims, DueWork, SegmentStore {
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
