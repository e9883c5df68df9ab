/**
 * Every constant of segmentation that is equal for all classes; the others are in the catalogue. Shares are relative to the object's box; probabilities are 0..1, and the thresholds
 * of mask networks are in the manifest.
 *
 * @see ../../models/eval/eval.ts, which measures the effect of a change
 */

/** Context around the box in a mask network's input, on each side, as a share of the box's sides. */
export const CONTEXT = {
  /** For networks that segment one person. */
  person: 0.12,
  /** For the project's own network, the same as in training. */
  object: 0.2,
  /** For networks with a box as prompt: surroundings separate the object from the background. */
  prompted: 0.3,
} as const;

/** The rules of masks from detectors and from prompted networks, for all classes. */
export const MAP_RULES = { reach: 0.04, minFilled: 0.35 } as const;

/**
 * The core of a box, which every kind of vehicle fills: a superellipse smaller than the box by this share on each side.
 */
export const CORE = { inset: 0.1, exponent: 3 } as const;

/**
 * How the threshold of a mask that covers only a part of the core is lowered: by this factor of its root each time, down
 * to the lowest share of the root. A lower threshold for all objects would make the masks of clear ones too wide.
 */
export const LOWERING = { step: 0.85, lowest: 0.2 } as const;

/** A mask may always extend beyond the box by this many px, because boxes of small objects are inexact by as much. */
export const MIN_REACH_PX = 1.5;

/** Probability threshold of masks that a detector outputs: these networks are trained for it. */
export const DETECTOR_MASK_THRESHOLD = 0.5;
