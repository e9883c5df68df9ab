import type { HeadName } from '../../domain/manifest';
import type { DetectionHead } from './detection-head';
import type { Recognise } from './recognise-graph';

/** What a model with a head is used for. */
export type Role = 'detector' | 'text-detector' | 'plate-classifier' | 'segmenter' | 'prompted-segmenter';

/** How the outputs of one kind of network are read. */
export interface Head<Name extends HeadName = HeadName> {
  readonly name: Name;
  readonly role: Role;
  /** Reads boxes; heads without one are read in `plates/` or `masks/`. */
  readonly decode?: DetectionHead;
  /** Tells whether a model file without a description has this head. */
  readonly recognise?: Recognise;
}
