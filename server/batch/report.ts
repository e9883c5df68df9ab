import type { VideoProgress } from '#shared/ports/engine';
import type { ObjectCounts } from './count-objects';
import type { MediaFile } from './media-file';
import type { BatchPlan } from './plan-batch';

export interface Counts {
  readonly done: number;
  readonly failed: number;
  /** Done by an earlier run. */
  readonly skipped: number;
  /** Files that are neither pictures nor videos, and links that are not followed. */
  readonly left: number;
  /** Not come to: the run was stopped. */
  readonly open: number;
}

/** What became of one file. */
export interface FileReport {
  readonly objects: ObjectCounts;
  readonly seconds: number;
  /** Of videos alone; see `VideoReport`. */
  readonly video?: {
    readonly frames: number;
    readonly lostFrames: number;
    readonly reencodedAudioTracks: number;
    readonly droppedAudioTracks: number;
  };
}

/** Receives the events of a run. */
export interface Report {
  planned(plan: BatchPlan): void;
  /** It is the file's turn. */
  started(file: MediaFile): void;
  /** Of videos alone, at each frame. */
  progressed(file: MediaFile, progress: VideoProgress): void;
  done(file: MediaFile, report: FileReport): void;
  failed(path: string, reason: string): void;
  /** The last call. @param problem why it ended before its time, a sentence */
  ended(counts: Counts, seconds: number, problem: string | undefined): void;
}
