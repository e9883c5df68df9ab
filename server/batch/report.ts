import type { ImageResult } from '#shared/ports/engine';
import type { Picture } from './picture';
import type { BatchPlan } from './plan-batch';

export interface Counts {
  readonly done: number;
  readonly failed: number;
  /** Done by an earlier run. */
  readonly skipped: number;
  /** Files that are not pictures, and links that are not followed. */
  readonly left: number;
  /** Not come to: the run was stopped. */
  readonly open: number;
}

/** Is told what happens. */
export interface Report {
  planned(plan: BatchPlan): void;
  done(picture: Picture, result: ImageResult): void;
  failed(path: string, reason: string): void;
  /** The last call. @param problem why it ended before its time, a sentence */
  ended(counts: Counts, seconds: number, problem: string | undefined): void;
}
