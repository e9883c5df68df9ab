import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { LimitFunction } from 'p-limit';
import type { BatchConfig } from '../cli/config';
import type { Manifest } from './manifest';
import type { Report } from './report';

/** Everything that all files of a run share. */
export interface BatchParts {
  readonly config: BatchConfig;
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
  /** Limits the number of files that are processed at the same time. */
  readonly limit: LimitFunction;
  readonly manifest: Manifest;
}
