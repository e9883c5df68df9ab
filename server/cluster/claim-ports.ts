import type { WeightedQueue } from '#shared/tasks/base/weighted-queue';
import type { ClusterPorts } from './cluster-ports';

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
