import type { HeadName } from '../../domain/manifest';
import type { DetectionHead } from './detection-head';
import type { Recognise } from './recognise-graph';

/** What a model with a head is used for. */
export type Role =
  | 'detector'
  | 'text-detector'
  | 'plate-classifier'
  | 'segmenter'
  | 'prompted-segmenter'
  | 'face-recogniser';

/** One kind of network: its name, its use, and how its outputs are decoded. */
export interface Head<Name extends HeadName = HeadName> {
  readonly name: Name;
  readonly role: Role;
  /** Decodes boxes; `plates/` and `masks/` decode the outputs of heads without it. */
  readonly decode?: DetectionHead;
  /** Recognises a model file without a description as one of this head. */
  readonly recognise?: Recognise;
}
