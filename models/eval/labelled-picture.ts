import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/domain/object-class';

/** A photo with what is truly in it. */
export interface LabelledPicture {
  readonly path: string;
  readonly truth: readonly {
    readonly objectClass: ObjectClass;
    readonly box: Box;
    /** Polygons, x and y in turn, that are the object together; undefined where nobody drew them. */
    readonly outline?: readonly (readonly number[])[];
  }[];
  /** Crowds that nobody boxed one by one: what is found there is neither right nor wrong. */
  readonly uncounted: readonly { readonly objectClass: ObjectClass; readonly box: Box }[];
}
