import {
  type Box,
  boxArea,
  boxHeight,
  boxWidth,
  intersectionOverSmaller,
  unionBox,
} from '../../domain/boxes';

interface ScoredBox {
  readonly score: number;
  readonly box: Box;
}

/** Words of one line are this close, in line heights … */
const WORD_GAP = 0.9;
/** … overlap in height to this share … */
const LINE_OVERLAP = 0.6;
/** … and differ in height by less than this factor; nor does the line grow beyond it. */
const HEIGHT_RATIO = 1.6;
/** Minimum score of a word that lengthens a line: weaker regions are texture more often than characters. */
const MIN_WORD_SCORE = 0.6;

/** @param wordHeight of the line's first word, px */
const continuesLine = (line: Box, wordHeight: number, word: Box): boolean => {
  const heights = [wordHeight, boxHeight(word)] as const;
  const lower = Math.min(...heights);
  const gap = Math.max(line.x1, word.x1) - Math.min(line.x2, word.x2);
  const overlap = Math.min(line.y2, word.y2) - Math.max(line.y1, word.y1);
  return (
    gap < WORD_GAP * lower &&
    overlap > LINE_OVERLAP * lower &&
    Math.max(...heights) < HEIGHT_RATIO * lower &&
    boxHeight(unionBox(line, word)) < HEIGHT_RATIO * wordHeight
  );
};

/** Mean weighted by length: a long weak word makes a weak line. */
const meanScore = (a: ScoredBox, b: ScoredBox): number =>
  (a.score * boxWidth(a.box) + b.score * boxWidth(b.box)) / (boxWidth(a.box) + boxWidth(b.box));

/**
 * Joins neighbouring words of one line.
 *
 * The groups of characters of a far or dark plate are detected separately; each alone may be too short for a plate, or
 * hide only a part of it.
 *
 * @returns only the joined lines, so that a plate next to other text is tested both ways
 */
export const joinWords = <T extends ScoredBox>(words: readonly T[]): T[] => {
  const open = words.filter(({ score }) => score >= MIN_WORD_SCORE).sort((a, b) => a.box.x1 - b.box.x1);
  const lines: T[] = [];
  while (open.length > 0) {
    const start = open.shift() as T;
    const wordHeight = boxHeight(start.box);
    let line = start;
    for (let i = 0; i < open.length;) {
      const word = open[i] as T;
      if (!continuesLine(line.box, wordHeight, word.box)) {
        i++;
        continue;
      }
      line = { ...line, score: meanScore(line, word), box: unionBox(line.box, word.box) };
      open.splice(i, 1);
      i = 0;
    }
    if (line !== start) lines.push(line);
  }
  return lines;
};

/** Boxes of one plate overlap the best of them by this share of the smaller … */
const SAME_PLATE = 0.4;
/** … and together are not much larger than the larger of the two: otherwise it is a plate on a sign. */
const MAX_GROWTH = 1.6;

/** @param best the candidate that others are united with, before any was */
const isSamePlate = (best: Box, united: Box, candidate: Box): boolean => {
  const both = unionBox(united, candidate);
  return (
    intersectionOverSmaller(united, candidate) > SAME_PLATE &&
    boxArea(both) < MAX_GROWTH * Math.max(boxArea(best), boxArea(candidate)) &&
    boxWidth(both) > boxHeight(both)
  );
};

/**
 * Makes one box of all candidates of one plate: their union, where other detectors keep only the best.
 *
 * The best-scored candidate may be half the plate, and the other half would stay readable.
 */
export const uniteCandidates = <T extends ScoredBox>(candidates: readonly T[]): T[] => {
  const plates: { readonly best: T; box: Box }[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const plate = plates.find(({ best, box }) => isSamePlate(best.box, box, candidate.box));
    if (plate) plate.box = unionBox(plate.box, candidate.box);
    else plates.push({ best: candidate, box: candidate.box });
  }
  return plates.map(({ best, box }) => ({ ...best, box }));
};
