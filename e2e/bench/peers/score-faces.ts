import type { LabelledPicture } from '../../../models/eval/labelled-picture';
import {
  matchPicture,
  measure,
  recallBySize,
  type Outcome,
  type SizeRecall,
} from '../../../models/eval/score';
import type { FacesOfPhotos } from './find-faces';
import type { PeerOptions } from './peer-options';

/** How well the faces of some photos were found; NaN where there is nothing to find, or nothing was found. */
export interface FaceScore {
  readonly faces: number;
  readonly recall: number;
  readonly precision: number;
  readonly bySize: readonly SizeRecall[];
}

/** Programs report what reaches their own threshold, and all of that counts. */
const ALL = 0;

/** Recall and precision have a minimum IoU each: a face of 5 px is hidden by a box that fits it badly, too. */
export const scoreFaces = (
  photos: readonly LabelledPicture[],
  found: FacesOfPhotos,
  { recallIou, precisionIou }: Pick<PeerOptions, 'recallIou' | 'precisionIou'>,
): FaceScore => {
  const outcomesAt = (minIou: number): readonly Outcome[] =>
    photos.map(({ truth, uncounted }, i) => {
      const boxes = [truth, uncounted].map((labels) => labels.map(({ box }) => box));
      return matchPicture(found[i] ?? [], boxes[0] ?? [], boxes[1] ?? [], minIou);
    });
  const outcomes = outcomesAt(recallIou);
  const { truths, recall } = measure(outcomes, ALL);
  const { precision } = measure(outcomesAt(precisionIou), ALL);
  return { faces: truths, recall, precision, bySize: recallBySize(outcomes, ALL) };
};

/** Photos of which each holds so many objects that it decides a figure alone. @returns positions of the others */
export const withoutMostCrowded = (
  photos: readonly LabelledPicture[],
  crowded: number,
): readonly number[] => {
  const byCount = [...photos.keys()].sort(
    (a, b) => (photos[b]?.truth.length ?? 0) - (photos[a]?.truth.length ?? 0),
  );
  return byCount.slice(crowded).sort((a, b) => a - b);
};
