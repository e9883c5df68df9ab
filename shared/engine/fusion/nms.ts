import type { OverlapLimits } from '../../catalogue/class-rules';
import { boxArea, intersectionArea, iou, type Box } from '../../domain/boxes';

interface Scored {
  readonly score: number;
  readonly box: Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'>;
}

/** Whether two boxes are of one object, or the second is a part of the first. */
export const overlap = (better: Scored['box'], box: Scored['box'], limits: OverlapLimits): boolean =>
  iou(better, box) > limits.iou ||
  (intersectionArea(better, box) > limits.inside * boxArea(box) &&
    boxArea(box) >= (limits.minPart ?? 0) * boxArea(better));

/**
 * Greedy non-maximum suppression: keeps the best box of each object, and also a larger box around it, which hides more.
 *
 * @returns the kept boxes, best scores first
 */
export const suppress = <T extends Scored>(candidates: readonly T[], limits: OverlapLimits): T[] => {
  const kept: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const known = kept.some((better) => overlap(better.box, candidate.box, limits));
    if (!known) kept.push(candidate);
  }
  return kept;
};
