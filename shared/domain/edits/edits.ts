import type { Box } from '../boxes';
import type { Detection } from '../detection';
import type { ObjectClass } from '../../catalogue/classes';
import type { HidingMethod, Method } from '../../catalogue/methods';
import type { ClassMethods, ClassThresholds, IgnoreArea } from '../options';

/** A detection with the number by which edits refer to it. */
export interface NumberedDetection {
  readonly id: number;
  readonly detection: Detection;
}

/** What a person changed about one object. */
export interface ObjectChange {
  /** The object is not hidden. */
  readonly isOff?: boolean;
  /** A false detection, removed. */
  readonly isDeleted?: boolean;
  /** Its corrected place, in image px. */
  readonly box?: Box;
  readonly objectClass?: ObjectClass;
  readonly method?: HidingMethod;
}

/** A place in image px. */
export type ImagePoint = readonly [x: number, y: number];

/** What a person drew, in image px. */
export type DrawnShape =
  | { readonly kind: 'box'; readonly box: Box }
  | { readonly kind: 'ellipse'; readonly box: Box }
  /** A brush of this radius, drawn along the points. */
  | { readonly kind: 'stroke'; readonly points: readonly ImagePoint[]; readonly radiusPx: number };

/** An area that a person wants hidden. It counts as an object of its class with full score. */
export interface DrawnArea {
  /** Below 0, so that it is never a detection's number. */
  readonly id: number;
  readonly objectClass: ObjectClass;
  readonly outline: DrawnShape;
  readonly method?: HidingMethod;
  readonly isOff?: boolean;
}

/** An area that is left unchanged, whatever is detected there. */
export interface KeptArea {
  /** Below 0. */
  readonly id: number;
  readonly box: Box;
}

/** A person's changes to one image. Plain data: it is sent to workers and can be stored. */
export interface PlanEdits {
  /** By the number of the detection. */
  readonly changes: Readonly<Record<number, ObjectChange>>;
  readonly drawn: readonly DrawnArea[];
  readonly kept: readonly KeptArea[];
}

export const NO_EDITS: PlanEdits = { changes: {}, drawn: [], kept: [] };

/** Everything that decides how the detections of an image are hidden. No detector runs again. */
export interface EditRequest {
  readonly method: Method;
  /** Methods of single classes, instead of `method`. */
  readonly methods?: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, at which an object of the class is hidden. */
  readonly thresholds: ClassThresholds;
  readonly edits: PlanEdits;
  /** Areas that are left unchanged, instead of those of the upload. */
  readonly ignores?: readonly IgnoreArea[];
  /** As uploaded: hide whole boxes instead of segmentation shapes. */
  readonly wholeBoxes?: boolean;
  /** Whether the EXIF fields of camera, date and place are kept; if absent, the service's setting applies. */
  readonly keepsMetadata?: boolean;
  /** Id of the subject whose face stays visible, or `NO_SUBJECT`; if absent, as uploaded. */
  readonly show?: string;
}
