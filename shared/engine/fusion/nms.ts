import { boxArea, intersectionArea, iou, type Box } from '../../domain/boxes';

interface Scored {
  readonly score: number;
  readonly box: Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'>;
}

/** Overlap above which two boxes count as one object. */
export interface OverlapLimits {
  readonly iou: number;
  /** A box that lies in a better one to this share is a part of it; 1 keeps all. */
  readonly inside: number;
  /** A box with a smaller share of a better one's area is no part of it, but another object before or behind it; 0 if not named. */
  readonly minPart?: number;
}

/** Whether two boxes are of one object, or the second is a part of the first. */
export const overlap = (better: Scored['box'], box: Scored['box'], limits: OverlapLimits): boolean =>
  iou(better, box) > limits.iou ||
  (intersectionArea(better, box) > limits.inside * boxArea(box) &&
    boxArea(box) >= (limits.minPart ?? 0) * boxArea(better));

/**
 * Greedy non-maximum suppression: the best box of each object stays, and so does a larger one around it: with it would
 * go what the better one does not hide.
 *
 * @returns best first
 */
export const suppress = <T extends Scored>(candidates: readonly T[], limits: OverlapLimits): T[] => {
  const kept: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const known = kept.some((better) => overlap(better.box, candidate.box, limits));
    if (!known) kept.push(candidate);
  }
  return kept;
};
