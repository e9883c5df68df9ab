import type { WorkSettings } from '../cluster/shared-task-store';
import type { WorkKind } from '../cluster/work-queue';
import type { Config, EngineConfig } from './config';

/** Addresses of the services that API processes and workers share. They may contain passwords. */
export interface ClusterConfig {
  readonly database: string;
  readonly queue: string;
  readonly files: string;
}

/** Settings of `veil api`. */
export interface ApiConfig extends Config, ClusterConfig {}

/** Settings of `veil worker`. The other settings of processing come with each task. */
export interface WorkerConfig
  extends
    ClusterConfig,
    Pick<EngineConfig, 'workers' | 'ffmpeg' | 'packsFolder' | 'logLevel' | 'logFormat'>,
    Pick<Config, 'host' | 'port' | 'token' | 'insecure' | 'shutdownGraceMs'> {
  readonly take: readonly WorkKind[];
  /** Execution provider of onnxruntime. */
  readonly device: string;
}

/** Settings of `veil import`. */
export interface ImportConfig extends ClusterConfig {
  /** Data folder of a stopped server without a role. */
  readonly from: string;
  /** Settings of that server with which its unfinished tasks are processed. */
  readonly work: WorkSettings;
}
