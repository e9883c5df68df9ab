import { boxArea, type Box, intersectionArea, iou } from '#shared/pipeline/boxes';

/** A detection as far as scoring looks at it. */
export interface Found {
  readonly score: number;
  readonly box: Box;
}

/** What one class of one picture came to. */
export interface Outcome {
  /** Of each counted detection. */
  readonly found: readonly { readonly score: number; readonly isRight: boolean }[];
  readonly truths: number;
  /** Of each true object: highest score of a detection whose box holds at least `COVERED` of it. */
  readonly coverScores: readonly number[];
}

export const MATCH_IOU = 0.5;
/** Share of an object that has to lie in one box for it to count as covered. */
export const COVERED = 0.9;

const shareInside = (inner: Box, outer: Box): number =>
  boxArea(inner) === 0 ? 0 : intersectionArea(inner, outer) / boxArea(inner);

/**
 * Matches detections to the truth: the surest first, each to the free true box of the highest IoU.
 *
 * @param uncounted areas inside which an unmatched detection is neither right nor wrong
 * @see https://cocodataset.org/#detection-eval
 */
export const matchPicture = (
  found: readonly Found[],
  truth: readonly Box[],
  uncounted: readonly Box[],
): Outcome => {
  const free = new Set(truth.keys());
  const counted: { score: number; isRight: boolean }[] = [];
  for (const { score, box } of [...found].sort((a, b) => b.score - a.score)) {
    const best = [...free]
      .map((index) => ({ index, iou: iou(box, truth[index] as Box) }))
      .filter((candidate) => candidate.iou >= MATCH_IOU)
      .sort((a, b) => b.iou - a.iou)[0];
    if (best) free.delete(best.index);
    const isUncounted = !best && uncounted.some((area) => shareInside(box, area) >= 0.5);
    if (!isUncounted) counted.push({ score, isRight: Boolean(best) });
  }
  const coverScores = truth.map((box) =>
    Math.max(0, ...found.filter((one) => shareInside(box, one.box) >= COVERED).map(({ score }) => score)),
  );
  return { found: counted, truths: truth.length, coverScores };
};

/** One line of the table. */
export interface Measure {
  readonly truths: number;
  readonly recall: number;
  readonly precision: number;
  readonly covered: number;
  readonly falsePerPicture: number;
}

const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);

/** Recall and precision of a class over many pictures, counting what scores at least `threshold`. */
export const measure = (outcomes: readonly Outcome[], threshold: number): Measure => {
  const found = outcomes.flatMap((outcome) => outcome.found).filter(({ score }) => score >= threshold);
  const right = found.filter(({ isRight }) => isRight).length;
  const truths = outcomes.reduce((sum, outcome) => sum + outcome.truths, 0);
  const covers = outcomes.flatMap(({ coverScores }) => coverScores);
  return {
    truths,
    recall: share(right, truths),
    precision: share(right, found.length),
    covered: share(covers.filter((score) => score > 0 && score >= threshold).length, truths),
    falsePerPicture: share(found.length - right, outcomes.length),
  };
};
