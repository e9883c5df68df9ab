import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';

/** A photo with its labels. */
export interface LabelledImage {
  readonly path: string;
  readonly truth: readonly {
    readonly objectClass: ObjectClass;
    readonly box: Box;
    /** Polygons that together form the object, with x and y in turn; undefined if they are not labelled. */
    readonly outline?: readonly (readonly number[])[];
  }[];
  /** Areas such as crowds whose objects are not labelled: detections there are neither correct nor wrong. */
  readonly uncounted: readonly { readonly objectClass: ObjectClass; readonly box: Box }[];
}
