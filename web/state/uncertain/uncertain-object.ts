import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { DrawnBox } from '../video-edits';

/** Why a person should check an object or a place. */
export const UNCERTAINTY_REASONS = [
  'below-threshold',
  'above-threshold',
  'weak-track',
  'abrupt-start',
  'abrupt-end',
  'gap',
  'fewer',
] as const;
export type UncertaintyReason = (typeof UNCERTAINTY_REASONS)[number];

/** What a decision changes. */
export type UncertainTarget =
  /** A detection of an image, by its number. */
  | { readonly kind: 'object'; readonly id: number }
  /** A track of a video. */
  | { readonly kind: 'track'; readonly id: number }
  /** A place of a video where an object may have been missed; hiding it draws this box. */
  | { readonly kind: 'place'; readonly drawn: DrawnBox };

/** Something that a person should decide about. */
export interface UncertainObject {
  readonly fileId: string;
  /** Within its file. */
  readonly key: string;
  readonly reason: UncertaintyReason;
  /** 0..1; the list begins with the largest. */
  readonly uncertainty: number;
  readonly objectClass: ObjectClass;
  /** 0..1; of a place, the score of the track that ends or begins there. */
  readonly score: number;
  /** In px of the upright image or frame. */
  readonly box: Box;
  /** Time of the frame in a video. */
  readonly atS?: number;
  readonly target: UncertainTarget;
}
