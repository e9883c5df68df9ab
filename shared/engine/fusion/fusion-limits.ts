/**
 * Every constant of fusion and merging that is equal for all classes; the others are in the catalogue. Scores are calibrated; shares are relative to the object's own size.
 *
 * @see ../../models/eval/eval.ts, which measures the effect of a change
 */

/** Lower bound of all minimum scores: lower scores are meaningless, and the bound limits the number of candidates. */
export const MIN_SCORE = 0.05;

/** Fusion of the passes of `detect.ts`. */
export const PASS_FUSION = {
  /** Minimum IoU of boxes of several passes that are one object. */
  iou: 0.55,
  /** Detections with at least this share of the minimum score confirm another pass. */
  confirmingShare: 0.4,
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

/** Joining of the pieces of objects that tile borders cut. */
export const PIECES = {
  /** A piece is a part of an object in another tile if this share of it lies in that object. */
  inside: 0.7,
  /** Two pieces are one object if their extents along the border overlap by this share. */
  alignment: 0.6,
} as const;

/** Minimum side of a merged box, in image px. */
export const MIN_SIDE_PX = 2;
