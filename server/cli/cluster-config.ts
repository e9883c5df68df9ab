import type { StorageFolders } from '../adapters/storage';
import type { WorkSettings } from '#shared/tasks/base/job-store';
import type { ClusterConfig, WorkChoice } from './cluster-services';
import type { Config, EngineConfig } from './config';

/** Settings of `veil api`. */
export interface ApiConfig extends Config, ClusterConfig {}

/** Settings of `veil worker`. The other settings of processing come with each task. */
export interface WorkerConfig
  extends
    ClusterConfig,
    WorkChoice,
    Pick<EngineConfig, 'workers' | 'ffmpeg' | 'packsFolder' | 'logLevel' | 'logFormat'>,
    Pick<
      Config,
      'host' | 'port' | 'token' | 'tokens' | 'insecure' | 'memoryBudgetBytes' | 'shutdownGraceMs' | 'logNames'
    > {}

/** Settings of `veil import`. */
export interface ImportConfig extends ClusterConfig {
  /** Data folder of a stopped server without a role. */
  readonly from: string;
  /** Settings of that server with which its unfinished tasks are processed. */
  readonly work: WorkSettings;
}

/** Settings of `veil audit`. */
export interface AuditConfig {
  readonly place:
    | { readonly kind: 'server'; readonly folders: StorageFolders }
    | ({ readonly kind: 'cluster' } & Pick<ClusterConfig, 'database' | 'files'>);
  /** Whether files without a record are removed, and not only listed. */
  readonly removes: boolean;
  /** Whether more than a tenth of all folders may be removed. */
  readonly isConfirmed: boolean;
}
