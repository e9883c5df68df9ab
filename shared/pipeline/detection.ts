import type { Box } from './boxes';
import type { ObjectClass } from './object-class';

/** One object found in the upright picture. */
export interface Detection {
  readonly objectClass: ObjectClass;
  /** Calibrated so that the API's default thresholds are the model's best operating point; 0..1. */
  readonly score: number;
  readonly box: Box;
}
