import type { Failure } from '#shared/domain/failure';
import type { Task } from '#shared/domain/task';
import type { Segment } from '#shared/engine/segments/plan-segments';
import type { ServiceSettings } from '#shared/tasks/base/settings';

/** The right of one worker to analyse one segment. It ends when another worker takes it or the task ends. */
export interface SegmentClaim {
  /** UUID; also names the file of the result. */
  readonly token: string;
  readonly task: Task;
  /** Those with which its task was accepted. */
  readonly settings: Pick<ServiceSettings, 'limits'>;
  /** From 0. */
  readonly number: number;
  readonly segment: Segment;
}

export interface SegmentRecord {
  readonly number: number;
  readonly segment: Segment;
  /** One whose worker is silent counts as `waiting`. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Of the latest claim; null while it waits. */
  readonly token: string | null;
  readonly attempts: number;
  /** Of the latest claim. */
  readonly framesDone: number;
  /** Why it failed; null unless it did. */
  readonly failure: Failure | null;
}

/**
 * Segments of videos that are analysed by several workers.
 *
 * They exist as long as their task waits or is processed: its end, in whichever way, ends them.
 */
export interface SegmentStore {
  /**
   * Stores the segments of a claimed task, unless an earlier claim has done so: what is analysed stays so.
   *
   * @returns all segments in order; undefined if the claim has ended
   */
  planSegments(
    claim: { readonly task: Pick<Task, 'id'>; readonly token: string },
    segments: readonly Segment[],
  ): Promise<readonly SegmentRecord[] | undefined>;
  /** @returns all segments in order; empty if there are none (any more) */
  segmentsOf(taskId: string): Promise<readonly SegmentRecord[]>;
  /**
   * Claims the first segment that waits, or whose worker is silent. One that was interrupted three times fails instead.
   *
   * @returns undefined if there is none
   */
  claimSegment(taskId: string, worker: string): Promise<SegmentClaim | undefined>;
  /** @returns false if the claim has ended: the work must be aborted */
  heartbeatSegment(claim: SegmentClaim, framesDone: number): Promise<boolean>;
  /** Ends a claim. @returns false if it had ended before: its file must be removed */
  completeSegment(claim: SegmentClaim): Promise<boolean>;
  /** Ends a claim: the task must fail. */
  failSegment(claim: SegmentClaim, failure: Failure): Promise<void>;
  /** Ends a claim without counting it as an attempt: the segment waits again. */
  putOffSegment(claim: SegmentClaim): Promise<void>;
}
