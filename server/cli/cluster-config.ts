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
    Pick<Config, 'host' | 'port' | 'token' | 'insecure' | 'shutdownGraceMs'> {}
