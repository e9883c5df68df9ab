import type { Box } from './boxes';
import type { DrawnShape } from './edits/edits';
import type { ObjectClass } from '../catalogue/classes';
import type { HidingMethod } from '../catalogue/methods';
import type { ClassMethods, ClassThresholds } from './options';
import type { Region } from './plan';

/** A region with the detection that it hides. */
export interface PlannedRegion extends Region {
  /** The same for one object in many frames; absent without tracking. */
  readonly trackId?: number;
}

/** The plan of one frame, from which it is rendered again without detectors. */
export interface FramePlan {
  /** From 0. */
  readonly index: number;
  readonly timestampUs: number;
  readonly regions: readonly PlannedRegion[];
}

/** A time range of a video. */
export interface TimeRange {
  readonly fromUs: number;
  /** Not before `fromUs`. */
  readonly untilUs: number;
}

/** A range in which a hidden track is visible, or a visible one hidden. */
export interface TrackRange extends TimeRange {
  readonly trackId: number;
}

/** The method of one track, instead of that of its class or of the video. */
export interface TrackMethod {
  readonly trackId: number;
  readonly method: HidingMethod;
  /** Frames that begin in this range have the method; if absent, all frames. */
  readonly range?: TimeRange;
}

/** An area that a user drew on one frame; its content is followed from there on. */
export interface DrawnBox {
  readonly id: number;
  /** A time at which that frame is shown. */
  readonly timeUs: number;
  /** In px of the upright frame; the bounds of `shape`. */
  readonly box: Box;
  /** If absent, the whole box is hidden. */
  readonly shape?: DrawnShape;
  /** If absent, the method of the video applies. */
  readonly method?: HidingMethod;
  /**
   * When the box is hidden; includes `timeUs`. If absent, it is hidden from its frame on until tracking loses it.
   * Before its frame the box stays where it was drawn, and after its loss at its last place.
   */
  readonly range?: TimeRange;
}

/** How and which detected objects are hidden, instead of as uploaded. */
export interface VideoHiding {
  readonly method: HidingMethod;
  readonly methods: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, not below that of the upload. */
  readonly thresholds: ClassThresholds;
}

/** A user's changes to the detectors' result. */
export interface VideoEdits {
  /** Tracks that are not hidden. */
  readonly visibleTracks: readonly number[];
  /** Exceptions from `visibleTracks` for parts of the video. */
  readonly ranges?: readonly TrackRange[];
  /** Tracks that a person has checked and keeps hidden. They have no effect on pixels. */
  readonly decidedTracks?: readonly number[];
  /** These tracks are hidden whatever their class and score are. */
  readonly trackMethods?: readonly TrackMethod[];
  readonly drawn: readonly DrawnBox[];
  /** Absent: as uploaded. */
  readonly hiding?: VideoHiding;
  /** Parts without sound, sorted and disjoint. Absent: none. */
  readonly muted?: readonly TimeRange[];
  /** The result has no audio; if absent, as uploaded. */
  readonly mutesAudio?: boolean;
  /** Id of the subject whose face stays visible, or `NO_SUBJECT`; if absent, as uploaded. */
  readonly show?: string;
  /** These tracks are not shown because of the subject: neither its face nor its body. */
  readonly hiddenTracks?: readonly number[];
}

/** How long a drawn box was followed. */
export interface FollowedBox {
  readonly id: number;
  /** The box is hidden from this time on … */
  readonly fromUs: number;
  /** … was last recognised at this time … */
  readonly seenUntilUs: number;
  /** … and is hidden until this time. */
  readonly untilUs: number;
}

/** Frames in which a track is not hidden, including the last one. */
export interface ShownFrames {
  readonly trackId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}
