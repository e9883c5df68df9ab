import { setTimeout as delay } from 'node:timers/promises';
import type { Job, WorkKind } from '#shared/tasks/base/job-store';
import type { BulkJobOptions, IQueueBackend, JobType, WorkerOptions } from 'bullmq';
import type { Log } from '#shared/ports/system';

/** The same message is logged again after this time: clients report each of their attempts to connect. */
const REPEAT_MS = 60_000;
const MAX_MESSAGES = 100;

/** Logs errors of the queue's clients. */
export type ReportError = (error: unknown) => void;

/**
 * Error without the properties that clients attach, such as the arguments of a command: they contain the password when
 * a login fails, and the log prints properties of errors.
 */
export const withoutProperties = (error: unknown): Error => {
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  // An error that tries several addresses has only a code.
  return new Error(message || (typeof code === 'string' ? code : 'unknown error'));
};

/** @returns a function that logs each message at most once a minute */
export const createReport = (log: Log): ReportError => {
  const loggedAtMs = new Map<string, number>();
  return (error) => {
    const cause = withoutProperties(error);
    const nowMs = Date.now();
    if (nowMs - (loggedAtMs.get(cause.message) ?? -Infinity) < REPEAT_MS) return;
    if (loggedAtMs.size >= MAX_MESSAGES) loggedAtMs.clear();
    loggedAtMs.set(cause.message, nowMs);
    log.error('The work queue reports an error.', cause);
  };
};

/** A step of the queue did not end in time. */
class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The result of a promise, if it comes in time. A later failure is ignored. @throws what it rejects with, TooSlow */
export const within = async <T>(limitMs: number, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
};

/** Content of a job in BullMQ. */
export type JobData = Pick<Job, 'taskId' | 'isUrgent'>;

/** A queue of BullMQ, on any of its backends. */
export interface AnyQueue {
  addBulk(jobs: { name: string; data: JobData; opts: BulkJobOptions }[]): Promise<unknown>;
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A worker of BullMQ, on any of its backends. */
export interface AnyWorker {
  waitUntilReady(): Promise<unknown>;
  /** @returns when the worker is closed or paused */
  run(): Promise<void>;
  pause(doNotWaitActive: boolean): Promise<void>;
  close(isForced: boolean): Promise<void>;
}

/** A job that a worker has taken. */
export interface TakenJob {
  readonly id?: string;
  readonly data: JobData;
}

export type Process = (job: TakenJob) => Promise<void>;

/** A worker and its connections. */
export interface ConnectedWorker {
  readonly worker: AnyWorker;
  /** Whether all its connections work at the moment. */
  isConnected(): boolean;
  /** Ends the connections without waiting for an answer. */
  cut(): void;
}

/** How jobs of dead processes are recognised. */
export interface LockTimes {
  /** A job is given to another consumer if its process has not renewed the lock for this time. */
  readonly lockDuration: number;
  /** Pause between two searches for such jobs. */
  readonly stalledInterval: number;
}

export const LOCK_TIMES: LockTimes = { lockDuration: 30_000, stalledInterval: 15_000 };

/** A backend of BullMQ: a database in which it stores its jobs. */
export interface Backend {
  /** Resolves when `openQueue` and `probe` can be called. @throws if there is no connection */
  whenReady(): Promise<unknown>;
  openQueue(kind: WorkKind): AnyQueue;
  openWorker(kind: WorkKind, slots: number, process: Process): ConnectedWorker;
  /** @throws if jobs cannot be stored */
  probe(queue: AnyQueue): Promise<unknown>;
  /** Ends connections that several queues share. */
  cut(): void;
}

const NOT_URGENT = 10;

/** Options of a job. A finished job is removed: BullMQ ignores `add` for an id that it still stores. */
export const jobOptions = ({ id, isUrgent }: Job): BulkJobOptions => ({
  jobId: id,
  // BullMQ takes jobs without a priority before all others.
  ...(isUrgent ? {} : { priority: NOT_URGENT }),
  removeOnComplete: true,
  removeOnFail: true,
});

/** BullMQ counts how often a job was given again, and drops it at this number. The task records count attempts. */
const NO_STALLED_LIMIT = 1_000_000;

/** Pause of a worker after an error. With the default of 15 s, workers stay idle after a restart of the database. */
const RETRY_MS = 1000;

/**
 * Lets a worker pause after each error when it takes a job.
 *
 * BullMQ pauses only after a lost connection. After other errors, such as those of a read-only replica, it asks again at
 * once: 27,000 times per second were measured.
 */
export const pauseAfterErrors = (backend: Pick<IQueueBackend, 'moveToActive'>): void => {
  const take = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...args) => {
    try {
      return await take(...args);
    } catch (error) {
      await delay(RETRY_MS);
      throw error;
    }
  };
};

/** Options of a worker on any backend. */
export const workerOptions = (
  slots: number,
  times: LockTimes,
): Omit<WorkerOptions<unknown>, 'connection'> => ({
  ...times,
  concurrency: slots,
  maxStalledCount: NO_STALLED_LIMIT,
  runRetryDelay: RETRY_MS,
  autorun: false,
});

/** Length of BullMQ's event stream. Nothing reads it; the default keeps 10,000 events per queue. */
export const STREAMS = { events: { maxLen: 100 } } as const;
