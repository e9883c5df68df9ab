import type { ObjectClass } from '../../domain/object-class';
import type { OverlapLimits } from './nms';

/**
 * Every constant of fusion and merging. Scores are calibrated; shares are relative to the object's own size.
 *
 * @see ../../models/eval/eval.ts, which measures the effect of a change
 */

/** Lower bound of all minimum scores: lower scores are meaningless, and the bound limits the number of candidates. */
export const MIN_SCORE = 0.05;

/** Fusion of the passes of `detect.ts`. */
export const PASS_FUSION = {
  /**
   * Classes that are fused. Their detector finds most objects at each of its scales, so an object that only one scale
   * shows is less likely. Small faces appear only at the largest scale, and plates are scored by another network.
   */
  classes: ['person', 'vehicle'] as readonly ObjectClass[],
  /** Minimum IoU of boxes of several passes that are one object. */
  iou: 0.55,
  /** Detections with at least this share of the minimum score confirm another pass. */
  confirmingShare: 0.4,
  /**
   * Roots of areas, in network px, below which a pass often misses an object and therefore does not count against it.
   * Not for vehicles, where more false than true ones would pass.
   */
  minReliablePx: { person: 10 } as Readonly<Partial<Record<ObjectClass, number>>>,
  /** A pass whose tile contains this share of an object could have detected it. */
  minVisibleShare: 0.95,
} as const;

/** Fusion of the passes of a cascade. */
export const SCALE_FUSION = {
  /** Minimum IoU of boxes of several passes that are one object. */
  iou: 0.4,
  /**
   * Roots of areas, in network px, between which a pass detects objects reliably. A face of 10 px is detected by
   * chance, and one that fills the network's input has no surroundings.
   */
  reliablePx: { min: 14, max: 400 },
  /** A pass whose window contains this share of an object could have detected it. */
  minVisibleShare: 0.95,
} as const;

/**
 * Minimum area of a part, as a share of the whole: a smaller box is another object, such as a person far behind a near
 * one, or a car before a train.
 */
const MIN_PART = 0.15;

/** Overlaps above which boxes of all tiles are one object, by class. */
export const MERGED_OVERLAPS = {
  face: { iou: 0.35, inside: 0.8 },
  'license-plate': { iou: 0.3, inside: 0.7 },
  person: { iou: 0.5, inside: 0.95, minPart: MIN_PART },
  vehicle: { iou: 0.5, inside: 0.92, minPart: MIN_PART },
  text: { iou: 0.5, inside: 0.9 },
} as const satisfies Record<ObjectClass, OverlapLimits>;

/** Joining of the pieces of objects that tile borders cut. */
export const PIECES = {
  /** A piece is a part of an object in another tile if this share of it lies in that object. */
  inside: 0.7,
  /** Two pieces are one object if their extents along the border overlap by this share. */
  alignment: 0.6,
} as const;

/** Minimum side of a merged box, in image px. */
export const MIN_SIDE_PX = 2;
