import type { TimeRange } from '../../domain/plan';
import { SEGMENT_LIMITS, type SegmentLimits } from './segment-limits';

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
