import type { Job } from '#shared/tasks/base/job-store';
import type { WeightedQueue } from '#shared/tasks/base/weighted-queue';
import type { Engine } from '#shared/ports/engine';
import type { Log, System, Timer } from '#shared/ports/system';
import type { Storage } from '#shared/ports/storage';
import type { WebhookPorts } from '#shared/ports/webhook-sender';
import type { SharedTaskStore } from './shared-task-store';
import type { WorkQueue } from './work-queue';

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
