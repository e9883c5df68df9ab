import { boxArea, boxHeight, boxWidth, intersectionOverSmaller, unionBox, type Box } from './boxes';

interface ScoredBox {
  readonly score: number;
  readonly box: Box;
}

/** Words of one line are this close, in line heights … */
const WORD_GAP = 0.9;
/** … overlap in height to this share … */
const LINE_OVERLAP = 0.6;
/** … and differ in height by less than this factor. */
const HEIGHT_RATIO = 1.6;

const sameLine = (left: Box, right: Box): boolean => {
  const heights = [boxHeight(left), boxHeight(right)] as const;
  const lower = Math.min(...heights);
  const gap = Math.max(left.x1, right.x1) - Math.min(left.x2, right.x2);
  const overlap = Math.min(left.y2, right.y2) - Math.max(left.y1, right.y1);
  return (
    gap < WORD_GAP * lower && overlap > LINE_OVERLAP * lower && Math.max(...heights) < HEIGHT_RATIO * lower
  );
};

/**
 * Joins neighbouring words of one line.
 *
 * A plate's groups of characters are found apart when it is far or dark; each alone may be too short to be taken for
 * a plate, or hide only a part of it.
 *
 * @returns the joined lines alone, so that a plate beside other text is judged both ways
 */
export const joinWords = <T extends ScoredBox>(words: readonly T[]): T[] => {
  const open = [...words].sort((a, b) => a.box.x1 - b.box.x1);
  const lines: T[] = [];
  while (open.length > 0) {
    let line = open.shift() as T;
    let isJoined = false;
    for (let i = 0; i < open.length;) {
      const word = open[i] as T;
      if (!sameLine(line.box, word.box)) {
        i++;
        continue;
      }
      line = { ...line, score: Math.max(line.score, word.score), box: unionBox(line.box, word.box) };
      isJoined = true;
      open.splice(i, 1);
      i = 0;
    }
    if (isJoined) lines.push(line);
  }
  return lines;
};

/** Boxes of one plate overlap the best of them to this share of the smaller … */
const SAME_PLATE = 0.4;
/** … and together are not much larger than the larger of the two: else it is a plate on a sign. */
const MAX_GROWTH = 1.6;

const isSamePlate = (a: Box, b: Box): boolean =>
  intersectionOverSmaller(a, b) > SAME_PLATE &&
  boxArea(unionBox(a, b)) < MAX_GROWTH * Math.max(boxArea(a), boxArea(b)) &&
  boxWidth(unionBox(a, b)) > boxHeight(unionBox(a, b));

/**
 * Makes one box of all candidates of one plate: their union, where other detectors keep only the best.
 *
 * The best-scored candidate may be half the plate, and half a plate is still read.
 */
export const uniteCandidates = <T extends ScoredBox>(candidates: readonly T[]): T[] => {
  const united: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const i = united.findIndex((known) => isSamePlate(known.box, candidate.box));
    const known = united[i];
    if (known) united[i] = { ...known, box: unionBox(known.box, candidate.box) };
    else united.push(candidate);
  }
  return united;
};
