import type { Job, WorkKind } from '#shared/tasks/base/job-store';
import type { WeightedQueue } from '#shared/tasks/base/weighted-queue';
import type { Engine } from '#shared/ports/host-engine';
import type { Log, System, Timer } from '#shared/ports/system';
import type { WebhookPorts } from '#shared/ports/webhooks';
import type { Storage } from '#shared/ports/storage';
import type { SharedTaskStore } from './shared-task-store';

/** Number of jobs of one kind. */
export interface QueueLength {
  readonly waiting: number;
  /** Jobs that a consumer has taken. Includes those of a killed process until they are given to another consumer. */
  readonly active: number;
}

/** A consumer of one kind of work. */
export interface Consumer {
  /** Takes no more jobs. @returns when no handler runs any more, even if the queue cannot be reached */
  stop(): Promise<void>;
}

/**
 * Distributes work among workers.
 *
 * The queue is disposable: the task records say what has to be done, and its jobs can be added again at any time. A job
 * may be handled more than once, also by two consumers at a time: claims in the task store make the result unique.
 */
export interface WorkQueue {
  /**
   * Adds jobs. After an error, some of them may have been added.
   *
   * @throws QueueUnavailable within seconds if the queue cannot be reached or refuses to store
   */
  add(jobs: readonly Job[]): Promise<void>;
  /**
   * Takes jobs of one kind and handles up to `slots` of them at a time. Waits for a queue that cannot be reached.
   *
   * A job whose process dies, or does not respond for half a minute, is given to another consumer.
   *
   * @param handle if it rejects, the error is logged and the job ends all the same: the records decide about repetition
   */
  consume(kind: WorkKind, slots: number, handle: (job: Job) => Promise<void>): Consumer;
  /** @throws QueueUnavailable within seconds */
  length(kind: WorkKind): Promise<QueueLength>;
  /** Whether jobs can be added and taken now. Answers within seconds. */
  isAvailable(): Promise<boolean>;
  /**
   * Ends all connections within seconds, even if the queue cannot be reached. Does not wait for handlers, whose jobs
   * would be given to another consumer: stop consumers first.
   */
  close(): Promise<void>;
}

/** The queue cannot be reached. Work that was not added is added later from the task records. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/** What the roles `api` and `worker` need of a process. */
export interface ClusterPorts {
  readonly store: SharedTaskStore;
  readonly queue: WorkQueue;
  /** All files of all tasks, with the folders of attempts as they are. */
  readonly files: Storage;
  readonly engine: Engine;
  readonly system: System;
  readonly log: Log;
  readonly timer: Timer;
}

/** What the role `api` needs in addition. */
export interface ApiPorts extends ClusterPorts {
  readonly webhooks: WebhookPorts;
}

/** What work on claims needs in addition. */
export interface ClaimPorts extends ClusterPorts {
  /** Local folder for temporary files. */
  readonly temporaryFolder: string;
  /** Name of this worker in records, for operators. */
  readonly workerName: string;
  /** Where claimed tasks wait until there is room for their images. */
  readonly images: WeightedQueue;
  /** Whether long videos are analysed in segments. */
  readonly dividesVideos: boolean;
}

/**
 * Adds jobs without waiting.
 *
 * Failures are logged and nothing is lost: the coordinator adds all jobs again that the task records still ask for.
 */
export const enqueue = (jobs: readonly Job[], { queue, log }: Pick<ClusterPorts, 'queue' | 'log'>): void => {
  queue
    .add(jobs)
    .catch((error: unknown) => log.error('Jobs could not be queued; they are queued later.', error));
};
