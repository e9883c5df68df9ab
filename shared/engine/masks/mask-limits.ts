import type { ObjectClass } from '../../domain/object-class';

/**
 * Every constant of segmentation. Shares are relative to the object's box; probabilities are 0..1, and the thresholds
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

/** When the mask of an object is accepted. */
export interface MaskRules {
  /** Maximum distance of the mask beyond the box: boxes cut hands and feet, mirrors and wheels. */
  readonly reach: number;
  /** Minimum filled share of the box: below it the segmentation has failed. */
  readonly minFilled: number;
  /** Minimum share of the box's core in the mask: below it the mask covers only a part of the object. */
  readonly minShareOfCore: number;
}

/** The rules of each class that gets masks from mask networks. */
export const MASK_RULES: Readonly<Partial<Record<ObjectClass, MaskRules>>> = {
  person: { reach: 0.06, minFilled: 0.2, minShareOfCore: 0 },
  vehicle: { reach: 0.08, minFilled: 0.35, minShareOfCore: 0.9 },
};

/** The rules of masks from detectors and from prompted networks, for all classes. */
export const MAP_RULES: Pick<MaskRules, 'reach' | 'minFilled'> = { reach: 0.04, minFilled: 0.35 };

/**
 * The core of a box, which every kind of vehicle fills: a superellipse smaller than the box by this share on each side.
 */
export const CORE = { inset: 0.1, exponent: 3 } as const;

/** Probability threshold of masks that a detector outputs: these networks are trained for it. */
export const DETECTOR_MASK_THRESHOLD = 0.5;
