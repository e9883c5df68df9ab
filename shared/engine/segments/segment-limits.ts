import { US_PER_SECOND } from '../../domain/plan';

/** How long videos are divided. In µs of the video. */
export interface SegmentLimits {
  /** Videos up to this length are not divided. */
  readonly maxWholeUs: number;
  /** Length of a core, except for the last one … */
  readonly coreUs: number;
  /** … which is not shorter than this. */
  readonly minLastUs: number;
  /** Length of the margins before and after a core, which are analysed with it. */
  readonly marginUs: number;
  /** Within this time of a border, a frame hides what either side hides. Not longer than the margin. */
  readonly borderUs: number;
}

/** Every number of analysis in segments. */
export const SEGMENT_LIMITS: SegmentLimits = {
  // Two cores: below, opening, margins and joining would cost more than a second worker saves.
  maxWholeUs: 120 * US_PER_SECOND,
  // Margins are 13 % of the work at this length. Analysis of a minute takes some minutes: little is lost with a worker.
  coreUs: 60 * US_PER_SECOND,
  // Shorter ones would consist of margins mostly: they belong to the core before.
  minLastUs: 20 * US_PER_SECOND,
  // Tracking needs up to 1 s ahead, and 1 s after the last hit to lose a track; tracks that are confirmed late need more.
  marginUs: 4 * US_PER_SECOND,
  // Longer than any coasting or interpolation (1 s), so that what a side knows from beyond the border is hidden there.
  borderUs: 1.5 * US_PER_SECOND,
};

/** Minimum IoU of two boxes of one class that show the same object in the same frame. */
export const SAME_OBJECT_IOU = 0.5;
