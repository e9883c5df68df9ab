import type { NumberedDetection } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/domain/object-class';

/** How many objects have scores from `from` up to the next bar's. */
export interface Bar {
  readonly from: number;
  readonly count: number;
}

/** A bar for each step of the slider beside it. */
export const BAR_WIDTH = 0.05;
/** Sums of such steps are off by less. */
const ROUNDING = 1e-9;

/**
 * How sure detectors were of a class's objects.
 *
 * @param min score where the first bar begins; what is below is left out
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
