import type { ClusterPorts } from './cluster-ports';

/** How work on a claim ended, for the worker. */
export type ClaimOutcome = 'completed' | 'lost' | 'put-off' | 'files-unavailable';

export interface ClaimPorts extends ClusterPorts {
  /** Local folder for temporary files. */
  readonly temporaryFolder: string;
  /** Name of this worker in records, for operators. */
  readonly workerName: string;
  /** Whether long videos are analysed in segments. */
  readonly dividesVideos: boolean;
}
