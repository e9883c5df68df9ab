import type { LabelledImage } from '../../../models/eval/labelled-image';
import { matchImage, measure, recallBySize, type SizeRecall } from '../../../models/eval/score';
import type { FacesByPath } from './find-faces';

/** Detection quality on some photos; NaN if there are no faces, or no detections. */
export interface FaceScore {
  readonly faces: number;
  readonly recall: number;
  /** At `NEAR_IOU`, because a box that fits a face of 5 px badly still hides it. */
  readonly precision: number;
  /** Number of boxes that `precision` counts as wrong. */
  readonly falseFaces: number;
  readonly bySize: readonly SizeRecall[];
}

/** Programs report only detections above their own threshold, so all of them count. */
const ALL = 0;

export const scoreFaces = (photos: readonly LabelledImage[], found: FacesByPath): FaceScore => {
  const outcomes = photos.map(({ path, truth, uncounted }) =>
    matchImage(
      found.get(path) ?? [],
      truth.map(({ box }) => box),
      uncounted.map(({ box }) => box),
    ),
  );
  const { truths, recall, nearPrecision } = measure(outcomes, ALL);
  return {
    faces: truths,
    recall,
    precision: nearPrecision,
    falseFaces: outcomes.flatMap((outcome) => outcome.found).filter(({ isNear }) => !isNear).length,
    bySize: recallBySize(outcomes, ALL),
  };
};
