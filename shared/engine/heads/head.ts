import type { Labels } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import type { Box } from '../../domain/boxes';
import type { Corners, DetectorMask } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import type { ObjectClass } from '../../catalogue/classes';
import type { Recognise } from './recognise-graph';

/** What a model with a head is used for. */
export type Role =
  | 'detector'
  | 'text-detector'
  | 'plate-classifier'
  | 'segmenter'
  | 'prompted-segmenter'
  | 'face-recogniser'
  | 'text-reader';

/** One kind of network: its use, and how its outputs are decoded. */
export interface Head {
  readonly role: Role;
  /** Decodes boxes; `plates/` and `masks/` decode the outputs of heads without it. */
  readonly decode?: DetectionHead;
  /** Recognises a model file without a description as one of this head. */
  readonly recognise?: Recognise;
}

/** A detection as the network outputs it: raw score, box in network px. */
export interface RawDetection {
  readonly objectClass: ObjectClass;
  readonly score: number;
  readonly box: Box<'network'>;
  readonly corners?: Corners;
  readonly mask?: DetectorMask;
}

/**
 * Decodes a detector's outputs.
 *
 * @param outputs tensors, in the manifest's order
 * @param net size of the network's input
 * @param minScores minimum raw score for each class; classes without one are not decoded
 * @param labels our class for each of the network's class numbers, for networks with several classes
 */
export type DetectionHead = (
  outputs: readonly Tensor[],
  net: Size,
  minScores: Readonly<Partial<Record<ObjectClass, number>>>,
  labels?: Labels,
) => readonly RawDetection[];
