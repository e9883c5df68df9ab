import type { LabelledPicture } from '../../../models/eval/labelled-picture';
import { matchPicture, measure, recallBySize, type SizeRecall } from '../../../models/eval/score';
import type { FacesByPath } from './find-faces';

/** How well the faces of some photos were found; NaN where there is nothing to find, or nothing was found. */
export interface FaceScore {
  readonly faces: number;
  readonly recall: number;
  /** At `NEAR_IOU`: a box that fits a face of 5 px badly hides it, too. */
  readonly precision: number;
  /** How many boxes `precision` counts as wrong. */
  readonly falseFaces: number;
  readonly bySize: readonly SizeRecall[];
}

/** Programs report what reaches their own threshold, and all of that counts. */
const ALL = 0;

export const scoreFaces = (photos: readonly LabelledPicture[], found: FacesByPath): FaceScore => {
  const outcomes = photos.map(({ path, truth, uncounted }) =>
    matchPicture(
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
