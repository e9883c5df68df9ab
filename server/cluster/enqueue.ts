import type { ClusterPorts } from './cluster-ports';
import type { Job } from '#shared/tasks/base/job-store';

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
