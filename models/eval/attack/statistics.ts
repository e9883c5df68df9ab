import { interval, type Interval } from '../interval';

/** A share of objects, and its 95 % interval for other objects of the same kind. */
export interface Share extends Interval {
  readonly mean: number;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param values one for each object: results of one object are alike */
export const shareOf = (values: readonly number[]): Share => ({
  mean: meanOf(values),
  ...interval(values, meanOf),
});

/** Number of known objects among which one is named. */
export const GALLERY = 60;

/**
 * Probability that the own object is the most similar one in a gallery of `size`, whose others are drawn at random.
 *
 * Its mean over objects varies much less than the share of objects that are the most similar ones of all. Equal
 * similarities are in random order.
 *
 * @param better number of others that are more similar
 * @param equal number of others that are equally similar
 */
const namedBy = (better: number, equal: number, others: number, size: number): number => {
  const without = (more: number): number =>
    Array.from({ length: size - 1 }, (_, k) => Math.max(0, others - more - k) / (others - k)).reduce(
      (product, factor) => product * factor,
      1,
    );
  return meanOf(Array.from({ length: equal + 1 }, (_, k) => without(better + k)));
};

/**
 * @param likeness of each hidden object (rows) to each known object (columns), with the same object on the diagonal
 * @returns for each object, the probability that it is named rightly among `GALLERY` known ones
 */
export const identify = (likeness: readonly (readonly number[])[]): readonly number[] => {
  const others = likeness.length - 1;
  return likeness.map((row, i) => {
    const own = row[i] as number;
    const better = row.filter((value) => value > own).length;
    const equal = row.filter((value) => value === own).length - 1;
    return namedBy(better, equal, others, Math.min(GALLERY, likeness.length));
  });
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
  /** Share of each plate's own characters that was read. */
  readonly own: Share;
  /** The same for the texts of other plates: the rate of chance. */
  readonly chance: number;
  /** Share of completely read plates. */
  readonly whole: number;
}

export const scoreReadings = (texts: readonly string[], readings: readonly string[]): Reading => {
  const readOf = (text: string, reading: string): number => charactersInCommon(text, reading) / text.length;
  return {
    own: shareOf(texts.map((text, i) => readOf(text, readings[i] as string))),
    chance: meanOf(
      texts.flatMap((_, i) =>
        texts.filter((__, j) => j !== i).map((other) => readOf(other, readings[i] as string)),
      ),
    ),
    whole: texts.filter((text, i) => text === readings[i]).length / texts.length,
  };
};
