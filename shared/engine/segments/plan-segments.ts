import { US_PER_SECOND, type TimeRange } from '../../domain/plan';

/** How long videos are divided. In µs of the video. */
interface SegmentLimits {
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

/** A part of a video that is analysed separately. Ends are exclusive. */
export interface Segment {
  /** Each frame of the video begins in exactly one core. */
  readonly core: TimeRange;
  /** Core and margins. */
  readonly analysed: TimeRange;
}

/** Later than the beginning of any frame, also if the last one has no duration. */
const afterLast = (endUs: number): number => Math.floor(endUs) + 1;

/**
 * Divides a video for analysis.
 *
 * @param endUs end of its last frame
 * @returns segments in order; undefined for a video that is too short to be divided
 */
export const planSegments = (
  endUs: number,
  { maxWholeUs, coreUs, minLastUs, marginUs }: SegmentLimits = SEGMENT_LIMITS,
): readonly Segment[] | undefined => {
  if (endUs <= maxWholeUs) return undefined;
  const untilUs = afterLast(endUs);
  const whole = Math.floor(untilUs / coreUs);
  const count = Math.max(1, untilUs - whole * coreUs >= minLastUs ? whole + 1 : whole);
  return Array.from({ length: count }, (_, index) => {
    const core = { fromUs: index * coreUs, untilUs: index === count - 1 ? untilUs : (index + 1) * coreUs };
    const analysed = {
      fromUs: Math.max(0, core.fromUs - marginUs),
      untilUs: Math.min(untilUs, core.untilUs + marginUs),
    };
    return { core, analysed };
  });
};
