/** How well hidden objects can be identified. */
export interface Identification {
  readonly objects: number;
  /** Rank-1 rate: share of objects that are most similar to themselves. */
  readonly rank1: number;
  /** Upper bound of `rank1` by chance: it is not exceeded in 97.5 of 100 trials. */
  readonly maxChance: number;
  /** Mean similarity to the same object, and to all others. */
  readonly own: number;
  readonly others: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The smallest number of hits that chance exceeds with at most this probability. */
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

/** @param likeness of each hidden object (rows) to each known object (columns), with the same object on the diagonal */
export const identify = (likeness: readonly (readonly number[])[]): Identification => {
  const objects = likeness.length;
  // A tie counts as a miss, because equal similarities identify no object.
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

/** Length of the longest common subsequence: characters that are read in their order. */
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

/** How much text of hidden plates can be read. */
export interface Reading {
  readonly plates: number;
  /** Share of each plate's own characters that was read. */
  readonly own: number;
  /** The same for the texts of other plates: the rate of chance. */
  readonly chance: number;
  /** Number of completely read plates. */
  readonly whole: number;
}

export const scoreReadings = (texts: readonly string[], readings: readonly string[]): Reading => {
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
