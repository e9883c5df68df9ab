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

/** A stretch of a video. */
export interface TimeRange {
  readonly fromUs: number;
  /** Not before `fromUs`. */
  readonly untilUs: number;
}

/** When a track is the other way round: seen where it is hidden elsewhere, hidden where it is seen elsewhere. */
export interface TrackRange extends TimeRange {
  readonly trackId: number;
}

/** A box that a user drew on one frame; what lies in it is followed from there on. */
export interface DrawnBox {
  readonly id: number;
  /** Some moment at which that frame is shown. */
  readonly timeUs: number;
  /** In px of the upright picture. */
  readonly box: Box;
  /**
   * When it is hidden, `timeUs` counted in; absent: from its frame on, for as long as it is recognised. Before its frame
   * it is where it was drawn; once it is lost, where it was seen last.
   */
  readonly range?: TimeRange;
}

/** What a user wants otherwise than the detectors. */
export interface VideoEdits {
  /** Tracks that are not hidden. */
  readonly visibleTracks: readonly number[];
  /** Of the tracks that are not the same all the time. */
  readonly ranges?: readonly TrackRange[];
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

/** Frames in which a track is not hidden, the last one counted in. */
export interface ShownFrames {
  readonly trackId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}
