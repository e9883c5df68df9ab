/** How well hidden objects are distinguished from each other. */
export interface Identification {
  readonly objects: number;
  /** Share of the objects whose own likeness is the highest of all. */
  readonly rank1: number;
  /** The most that chance alone reaches in 97.5 of 100 tries, as a share. */
  readonly maxChance: number;
  /** Mean likeness with what is the same object, and with all others. */
  readonly own: number;
  readonly others: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The least number of hits that chance exceeds at most so often. */
const binomialQuantile = (tries: number, probability: number, share: number): number => {
  let term = (1 - probability) ** tries;
  let sum = term;
  let hits = 0;
  while (sum < share && hits < tries) {
    hits++;
    term *= ((tries - hits + 1) / hits) * (probability / (1 - probability));
    sum += term;
  }
  return hits;
};

/** @param likeness of each seen object (rows) with each known one (columns), the same object on the diagonal */
export const identify = (likeness: readonly (readonly number[])[]): Identification => {
  const objects = likeness.length;
  // Where all are equally similar the first is no better than any other: a tie is a miss.
  const hits = likeness.filter((row, i) =>
    row.every((value, j) => j === i || value < (row[i] as number)),
  ).length;
  return {
    objects,
    rank1: hits / objects,
    maxChance: binomialQuantile(objects, 1 / objects, 0.975) / objects,
    own: mean(likeness.map((row, i) => row[i] as number)),
    others: mean(likeness.flatMap((row, i) => row.filter((_, j) => j !== i))),
  };
};

/** Length of the longest common subsequence: characters read right and in their order. */
export const charactersInCommon = (a: string, b: string): number => {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const character of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++) {
      const isSame = b[j - 1] === character;
      next[j] = isSame ? (row[j - 1] as number) + 1 : Math.max(row[j] as number, next[j - 1] as number);
    }
    row = next;
  }
  return row[b.length] as number;
};

/** What share of the characters of hidden plates is read. */
export interface Reading {
  readonly plates: number;
  /** Share of each plate's own characters that was read. */
  readonly own: number;
  /** The same with the texts of other plates: what is read by chance. */
  readonly chance: number;
  /** Plates read wholly. */
  readonly whole: number;
}

export const judgeReadings = (texts: readonly string[], readings: readonly string[]): Reading => {
  const shareOf = (text: string, reading: string): number => charactersInCommon(text, reading) / text.length;
  return {
    plates: texts.length,
    own: mean(texts.map((text, i) => shareOf(text, readings[i] as string))),
    chance: mean(
      texts.flatMap((_, i) =>
        texts.filter((__, j) => j !== i).map((other) => shareOf(other, readings[i] as string)),
      ),
    ),
    whole: texts.filter((text, i) => text === readings[i]).length / texts.length,
  };
};
