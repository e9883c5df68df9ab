import { boxArea, type Box, intersectionArea, intersectionOverSmaller, iou } from '#shared/domain/boxes';

/** The part of a detection that scoring uses. */
export interface Found {
  readonly score: number;
  readonly box: Box;
}

/** A scored detection that counts as correct or wrong. */
export interface ScoredDetection {
  readonly score: number;
  readonly isRight: boolean;
  /**
   * Whether it overlaps an object without another match by at least `NEAR_IOU`: it fits badly, but is not a false
   * detection.
   */
  readonly isNear: boolean;
  /** Whether it overlaps no object of the class, not even partly. */
  readonly isStray: boolean;
}

/** Result of one class on one image. */
export interface Outcome {
  readonly found: readonly ScoredDetection[];
  readonly truths: number;
  /** For each labelled object: the score of its matched detection, or 0. */
  readonly matchScores: readonly number[];
  /** For each labelled object: the index of its matched detection. */
  readonly matches: readonly (number | undefined)[];
  /** For each labelled object: the root of its box's area, in px. */
  readonly sizes: readonly number[];
  /** For each labelled object: highest score of a detection whose box contains at least `COVERED` of it. */
  readonly coverScores: readonly number[];
}

export const MATCH_IOU = 0.5;
/** A box with this IoU still hides most of the object. */
export const NEAR_IOU = 0.3;
/** Share of an object that must be inside one box so that it counts as covered. */
export const COVERED = 0.9;
/** A smaller overlap, as a share of the smaller box, does not count. */
const TOUCHED = 0.1;

const shareInside = (inner: Box, outer: Box): number =>
  boxArea(inner) === 0 ? 0 : intersectionArea(inner, outer) / boxArea(inner);

/** Detections with their indices, highest score first. */
const bestFirst = (found: readonly Found[]): readonly [number, Found][] =>
  [...found.entries()].sort(([, a], [, b]) => b.score - a.score);

/**
 * Matches detections to labelled objects: in the order of their scores, each to the unmatched box with the highest IoU.
 *
 * @returns for each matched detection, its labelled box
 * @see https://cocodataset.org/#detection-eval
 */
const match = (
  found: readonly Found[],
  truth: readonly Box[],
  minIou: number,
): ReadonlyMap<number, number> => {
  const free = new Set(truth.keys());
  const matched = new Map<number, number>();
  for (const [detection, { box }] of bestFirst(found)) {
    const [best] = [...free]
      .map((index) => ({ index, overlap: iou(box, truth[index] as Box) }))
      .filter(({ overlap }) => overlap >= minIou)
      .sort((a, b) => b.overlap - a.overlap);
    if (!best) continue;
    free.delete(best.index);
    matched.set(detection, best.index);
  }
  return matched;
};

const isIn = (area: Box, box: Box): boolean => shareInside(box, area) >= 0.5 || iou(box, area) >= NEAR_IOU;

/**
 * Matches and scores the detections of one image.
 *
 * @param uncounted areas in which an unmatched detection is neither correct nor wrong
 */
export const matchImage = (
  found: readonly Found[],
  truth: readonly Box[],
  uncounted: readonly Box[],
): Outcome => {
  const matched = match(found, truth, MATCH_IOU);
  const near = match(found, truth, NEAR_IOU);
  const matchScores = truth.map(() => 0);
  const matches = truth.map((): number | undefined => undefined);
  for (const [detection, index] of matched) {
    matchScores[index] = found[detection]?.score ?? 0;
    matches[index] = detection;
  }
  const counted = bestFirst(found).flatMap(([detection, { score, box }]): ScoredDetection[] => {
    const [isRight, isNear] = [matched.has(detection), near.has(detection)];
    if (!isRight && !isNear && uncounted.some((area) => isIn(area, box))) return [];
    const isStray = !truth.some((object) => intersectionOverSmaller(box, object) >= TOUCHED);
    return [{ score, isRight, isNear: isRight || isNear, isStray }];
  });
  const coverScores = truth.map((box) =>
    Math.max(0, ...found.filter((one) => shareInside(box, one.box) >= COVERED).map(({ score }) => score)),
  );
  const sizes = truth.map((box) => Math.sqrt(boxArea(box)));
  return { found: counted, truths: truth.length, matchScores, matches, sizes, coverScores };
};

/** Lower ends of the size ranges for which recall is reported, in px: the root of a box's area. */
export const SIZES = [0, 16, 32, 64] as const;

/** Recall of the objects in one range of sizes. */
export interface SizeRecall {
  readonly truths: number;
  readonly recall: number;
}

/** One row of the table. */
export interface Measure {
  readonly truths: number;
  readonly recall: number;
  readonly precision: number;
  /** Share of detections that overlap an object of their own by at least `NEAR_IOU`. */
  readonly nearPrecision: number;
  readonly covered: number;
  readonly falsePerImage: number;
  readonly strayPerImage: number;
}

const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);
const reaches = (threshold: number) => (score: number) => score > 0 && score >= threshold;

/** Recall and precision of a class over many images, for detections with at least this score. */
export const measure = (outcomes: readonly Outcome[], threshold: number): Measure => {
  const found = outcomes.flatMap((outcome) => outcome.found).filter(({ score }) => score >= threshold);
  const right = found.filter(({ isRight }) => isRight).length;
  const truths = outcomes.reduce((sum, outcome) => sum + outcome.truths, 0);
  const covers = outcomes.flatMap(({ coverScores }) => coverScores);
  return {
    truths,
    recall: share(right, truths),
    precision: share(right, found.length),
    nearPrecision: share(found.filter(({ isNear }) => isNear).length, found.length),
    covered: share(covers.filter(reaches(threshold)).length, truths),
    falsePerImage: share(found.length - right, outcomes.length),
    strayPerImage: share(found.filter(({ isStray }) => isStray).length, outcomes.length),
  };
};

/** Recall for each of `SIZES`. */
export const recallBySize = (outcomes: readonly Outcome[], threshold: number): readonly SizeRecall[] =>
  SIZES.map((from, i) => {
    const to = SIZES[i + 1] ?? Infinity;
    const scores = outcomes.flatMap(({ sizes, matchScores }) =>
      matchScores.filter((_, object) => (sizes[object] ?? 0) >= from && (sizes[object] ?? 0) < to),
    );
    return { truths: scores.length, recall: share(scores.filter(reaches(threshold)).length, scores.length) };
  });

/**
 * Average precision at IoU 0.5: the area under the precision-recall curve at all points, with precision made monotonic.
 *
 * Objects that are not detected at the lowest threshold count as missed, so the figure is a lower bound.
 *
 * @see Everingham et al. 2010, doi 10.1007/s11263-009-0275-4
 */
export const averagePrecision = (outcomes: readonly Outcome[]): number => {
  const truths = outcomes.reduce((sum, outcome) => sum + outcome.truths, 0);
  const found = outcomes.flatMap((outcome) => outcome.found).sort((a, b) => b.score - a.score);
  let right = 0;
  const precisions = found.map(({ isRight }, i) => {
    if (isRight) right++;
    return right / (i + 1);
  });
  let best = 0;
  let sum = 0;
  for (let i = found.length - 1; i >= 0; i--) {
    best = Math.max(best, precisions[i] as number);
    if (found[i]?.isRight) sum += best;
  }
  return share(sum, truths);
};
