import type { HeadName } from '../catalogue/manifest';
import type { Tensor } from '../ports/inference';
import type { Box } from './boxes';
import { decodeCenterNet } from './head-centernet';
import type { Corners } from './detection';
import { decodeFaceBoxes } from './head-faceboxes';
import { decodePlateCorners } from './head-plate-corners';
import { decodeTextRegions } from './head-text-regions';
import type { ObjectClass } from './object-class';

/** What a network says, before calibration and in its own pixels. */
export interface RawDetection {
  readonly objectClass: ObjectClass;
  readonly score: number;
  readonly box: Box<'network'>;
  readonly corners?: Corners;
}

/**
 * Reads a detector's outputs.
 *
 * @param outputs in the manifest's order
 * @param minimum raw score per class below which nothing is reported; a class that is not named is not wanted
 */
export type DetectionHead = (
  outputs: readonly Tensor[],
  netWidth: number,
  netHeight: number,
  minimum: Readonly<Partial<Record<ObjectClass, number>>>,
) => readonly RawDetection[];

/** The decoder of every head that yields boxes; the mask heads are read by `segment-person.ts`. */
export const DETECTION_HEADS = {
  faceboxes: decodeFaceBoxes,
  centernet: decodeCenterNet,
  'plate-corners': decodePlateCorners,
  'text-regions': decodeTextRegions,
} as const satisfies Partial<Record<HeadName, DetectionHead>>;
