import type { Box } from './boxes';
import type { ObjectClass } from './object-class';
import type { Outline } from './outline';

/** Upper left, upper right, lower right and lower left corner, in px of the frame that the box beside it is in. */
export type Corners = readonly [Corner, Corner, Corner, Corner];
export type Corner = readonly [x: number, y: number];

/** One object found in the upright picture. */
export interface Detection {
  readonly objectClass: ObjectClass;
  /** Calibrated so that the API's default thresholds are the model's best operating point; 0..1. */
  readonly score: number;
  readonly box: Box;
  /** Where a flat, tilted object's corners are, for detectors that say so; they may lie outside the picture. */
  readonly corners?: Corners;
  /**
   * Which pixels are the object's, for detectors that say so: of each that was merged into it. They are true of no other
   * frame, and of no other place.
   */
  readonly outlines?: readonly Outline[];
}

/** Where an object is expected, as far as it is followed. */
export type Expected = Pick<Detection, 'objectClass' | 'box'>;
