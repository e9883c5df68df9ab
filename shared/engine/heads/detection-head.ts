import type { Labels } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import type { Box } from '../../domain/boxes';
import type { Corners } from '../../domain/detection';
import type { ObjectClass } from '../../domain/object-class';
import type { DetectorMask } from '../../domain/outline';

/** What a network says, before calibration and in its own pixels. */
export interface RawDetection {
  readonly objectClass: ObjectClass;
  readonly score: number;
  readonly box: Box<'network'>;
  readonly corners?: Corners;
  readonly outline?: DetectorMask;
}

/**
 * Reads a detector's outputs.
 *
 * @param outputs in the manifest's order
 * @param minimum raw score per class below which nothing is reported; a class that is not named is not wanted
 * @param labels what the network's class numbers stand for, where it has several classes
 */
export type DetectionHead = (
  outputs: readonly Tensor[],
  netWidth: number,
  netHeight: number,
  minScores: Readonly<Partial<Record<ObjectClass, number>>>,
  labels?: Labels,
) => readonly RawDetection[];
