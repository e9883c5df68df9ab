import type { NumberedDetection } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/catalogue/classes';

/** Number of objects with scores from `from` to the next bar's `from`. */
export interface Bar {
  readonly from: number;
  readonly count: number;
}

/** Bar width: one step of the slider. */
export const BAR_WIDTH = 0.05;
/** Tolerance for rounding errors in sums of steps. */
const ROUNDING = 1e-9;

/**
 * Score histogram of a class's detections.
 *
 * @param min score at which the first bar begins; lower scores are ignored
 */
export const scoreHistogram = (
  found: readonly NumberedDetection[],
  objectClass: ObjectClass,
  min: number,
): readonly Bar[] => {
  const count = Math.round((1 - min) / BAR_WIDTH);
  const counts = new Array<number>(count).fill(0);
  for (const { detection } of found) {
    if (detection.objectClass !== objectClass || detection.score < min) continue;
    const bar = Math.floor((detection.score - min) / BAR_WIDTH + ROUNDING);
    const at = Math.min(count - 1, bar);
    counts[at] = (counts[at] as number) + 1;
  }
  return counts.map((value, i) => ({ from: min + i * BAR_WIDTH, count: value }));
};
