import type { Box } from './boxes';
import type { ObjectClass } from './object-class';
import type { ClassMethods, HidingMethod } from './options';
import type { Region } from './plan';

/** A region, and the object that it hides. */
export interface PlannedRegion extends Region {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** The plan of one frame: enough to render it again without detectors. */
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

/** A range in which a hidden track is visible, or a visible one hidden. */
export interface TrackRange extends TimeRange {
  readonly trackId: number;
}

/** A box that a user drew on one frame; its content is followed from there on. */
export interface DrawnBox {
  readonly id: number;
  /** A moment at which that frame is shown. */
  readonly timeUs: number;
  /** In px of the upright picture. */
  readonly box: Box;
  /**
   * When it is hidden, including `timeUs`; absent: from its frame on, for as long as it is recognised. Before its frame
   * it stays where it was drawn; after it is lost, at its last place.
   */
  readonly range?: TimeRange;
}

/** How and which detected objects are hidden, instead of as uploaded. */
export interface VideoHiding {
  readonly method: HidingMethod;
  readonly methods: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, not below that of the upload. */
  readonly thresholds: Readonly<Record<ObjectClass, number>>;
}

/** A user's changes to the result of the detectors. */
export interface VideoEdits {
  /** Tracks that are not hidden. */
  readonly visibleTracks: readonly number[];
  /** Ranges of tracks that are not the same all the time. */
  readonly ranges?: readonly TrackRange[];
  readonly drawn: readonly DrawnBox[];
  /** Absent: as uploaded. */
  readonly hiding?: VideoHiding;
}

/** How a drawn box was followed. */
export interface FollowedBox {
  readonly id: number;
  /** It is hidden from this moment on … */
  readonly fromUs: number;
  /** … was last recognised at this one … */
  readonly seenUntilUs: number;
  /** … and is hidden until this one. */
  readonly untilUs: number;
}

/** Frames in which a track is not hidden, including the last one. */
export interface ShownFrames {
  readonly trackId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}
