import type { Box } from './boxes';
import type { ObjectClass } from '../catalogue/classes';

/** One detection as the engine reports it; `shared/api` gives it the contract's field names. */
export interface ReportedDetection {
  readonly id: number;
  readonly objectClass: ObjectClass;
  readonly score: number;
  /** In whole px, inside the image. */
  readonly box: Box;
  readonly isAnonymised: boolean;
  /** RGB of the object in the instance mask. */
  readonly color: readonly [number, number, number];
  /** It is not hidden, because it belongs to a requested subject: similarity of the face to it, 0..1. */
  readonly shownConfidence?: number;
}

/** What was detected and hidden in one image. */
export interface ImageReport {
  readonly width: number;
  readonly height: number;
  readonly detections: readonly ReportedDetection[];
  /** Detection and anonymisation, without reading, decoding, encoding and writing. */
  readonly durationS: number;
}
