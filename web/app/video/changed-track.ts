import type { ObjectClass } from '#shared/catalogue/classes';
import type { Box } from '#shared/domain/boxes';

/** A track whose place in one frame, or class, a person changes. */
export interface ChangedTrack {
  readonly id: number;
  /** Moment of that frame. */
  readonly atS: number;
  readonly box: Box;
  readonly objectClass: ObjectClass;
}
