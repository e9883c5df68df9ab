import type { Box } from './boxes';
import type { ObjectClass } from '../catalogue/classes';
import type { DetectorMask } from './outline';

/** Upper left, upper right, lower right and lower left corner, in px of the same frame as the object's box. */
export type Corners = readonly [Corner, Corner, Corner, Corner];
export type Corner = readonly [x: number, y: number];

/** One object found in the upright image: its class, box and score. */
export interface Detection {
  readonly objectClass: ObjectClass;
  /** Calibrated so that the API's default thresholds are the model's best operating point; 0..1. */
  readonly score: number;
  readonly box: Box;
  /** Corners of a flat, tilted object, from detectors that report them; they may lie outside the image. */
  readonly corners?: Corners;
  /**
   * Masks of the object, from detectors that output them: one for each detection merged into it. They are valid only
   * in this video frame and at this place.
   */
  readonly outlines?: readonly DetectorMask[];
}

/** Where a tracked object is predicted. */
export type Expected = Pick<Detection, 'objectClass' | 'box'>;
