import type { Engine } from '#shared/ports/engine';
import type { LimitFunction } from 'p-limit';
import type { BatchConfig } from '../cli/config';
import type { Manifest } from './manifest';
import type { Report } from './report';

/** What all files of a run share. */
export interface BatchParts {
  readonly config: BatchConfig;
  readonly engine: Engine;
  readonly report: Report;
  /** Files in the engine at once. */
  readonly inWork: LimitFunction;
  readonly manifest: Manifest;
}
