import type { WorkKind } from '#shared/tasks/base/job-store';

/** Addresses of the services that API processes and workers share. They may contain passwords. */
export interface ClusterConfig {
  readonly database: string;
  readonly queue: string;
  readonly files: string;
}

/** Which work a worker takes, and where its models run. */
export interface WorkChoice {
  readonly take: readonly WorkKind[];
  /** Execution provider of onnxruntime. */
  readonly device: string;
  /** Whether long videos are analysed in segments, by all workers that take these. */
  readonly dividesVideos: boolean;
}
