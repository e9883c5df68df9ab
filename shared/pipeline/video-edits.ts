import type { Box } from './boxes';
import type { Region } from './plan';

/** A region, and which object it hides. */
export interface PlannedRegion extends Region {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** What is hidden in one frame: enough to render it again without looking for anything. */
export interface FramePlan {
  /** From 0. */
  readonly index: number;
  readonly timestampUs: number;
  readonly regions: readonly PlannedRegion[];
}

/** A box that a user drew on one frame; what lies in it is followed from there on. */
export interface DrawnBox {
  readonly id: number;
  /** Some moment at which that frame is shown. */
  readonly timeUs: number;
  /** In px of the upright picture. */
  readonly box: Box;
}

/** What a user wants otherwise than the detectors. */
export interface VideoEdits {
  /** Tracks that are not hidden. */
  readonly visibleTracks: readonly number[];
  readonly drawn: readonly DrawnBox[];
}

/** What became of a drawn box. */
export interface FollowedBox {
  readonly id: number;
  /** It is hidden from this moment on … */
  readonly fromUs: number;
  /** … was last recognised at this one … */
  readonly seenUntilUs: number;
  /** … and is hidden until this one. */
  readonly untilUs: number;
}
