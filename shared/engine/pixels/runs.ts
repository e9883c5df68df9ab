/** Number of bytes compared at once; an index is shifted to get its word, and masked to get the byte in the word. */
const WORD = 4;
const WORD_SHIFT = 2;
const WORD_REST = WORD - 1;
/** One byte, repeated in each of a word's four. */
const REPEATED = 0x01010101;

/** Bytes, and a view of the same bytes as words of four. */
interface ByteRow {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

/** @param bytes copied if they are not aligned to words */
export const byteRow = (bytes: Uint8Array): ByteRow => {
  const aligned = bytes.byteOffset % WORD === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / WORD));
  return { bytes: aligned, words };
};

/** Returns the index of the first word from `at` on that differs, four at a time; `to` if there is none. */
const endOfWords = (words: Int32Array, word: number, at: number, to: number): number => {
  let i = at;
  while (
    i + 3 < to &&
    words[i] === word &&
    words[i + 1] === word &&
    words[i + 2] === word &&
    words[i + 3] === word
  ) {
    i += 4;
  }
  while (i < to && words[i] === word) i++;
  return i;
};

/**
 * Returns the end of the run of equal bytes that begins at `from`.
 *
 * Masks are large areas of one value: comparing words takes a fraction of the time of comparing bytes.
 *
 * @param to end of the searched range, exclusive
 */
export const endOfRun = ({ bytes, words }: ByteRow, from: number, to: number): number => {
  const value = bytes[from] as number;
  let at = from + 1;
  for (; at < to && (at & WORD_REST) !== 0; at++) if (bytes[at] !== value) return at;
  const word = Math.imul(value, REPEATED);
  at = Math.max(at, endOfWords(words, word, at >> WORD_SHIFT, to >> WORD_SHIFT) << WORD_SHIFT);
  while (at < to && bytes[at] === value) at++;
  return at;
};

/**
 * Run-length code of a 0/1 mask: alternating lengths of uncovered and covered runs, row-major, uncovered first.
 *
 * A person's mask over a box of a megapixel takes a few thousand numbers, few enough for a stored plan.
 */
export const encodeRuns = (mask: Uint8Array): number[] => {
  const bytes = byteRow(mask);
  const runs: number[] = [];
  let at = 0;
  do {
    const from = at;
    const value = runs.length % 2;
    if (mask[at] === value) at = endOfRun(bytes, at, mask.length);
    runs.push(at - from);
  } while (at < mask.length);
  return runs;
};

/** Collects the runs of a mask that are found in their order. */
interface RunCollector {
  /** Covers pixels [from, to) of the row-major mask, behind all that were covered before. */
  readonly cover: (from: number, to: number) => void;
  /** @param length pixels of the mask */
  finish(length: number): readonly number[];
}

/** Makes the run-length code of `encodeRuns` without the mask. */
export const collectRuns = (): RunCollector => {
  const runs: number[] = [];
  let end = 0;
  return {
    cover: (from, to) => {
      if (from > end || runs.length === 0) runs.push(from - end, to - from);
      else runs[runs.length - 1] = (runs[runs.length - 1] as number) + to - from;
      end = to;
    },
    finish: (length) => (end < length || runs.length === 0 ? [...runs, length - end] : runs),
  };
};

/** Number of covered pixels. */
export const countCovered = (runs: readonly number[]): number =>
  runs.reduce((sum, length, i) => (i % 2 === 1 ? sum + length : sum), 0);

/** Calls `cover` for each covered run with its start and end (exclusive) in the row-major mask. */
export const forEachRun = (runs: readonly number[], cover: (start: number, end: number) => void): void => {
  let at = 0;
  runs.forEach((length, i) => {
    if (i % 2 === 1) cover(at, at + length);
    at += length;
  });
};
