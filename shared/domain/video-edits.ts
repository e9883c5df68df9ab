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

/** Frames in which a track is not hidden, including the last one. */
export interface ShownFrames {
  readonly trackId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
}
