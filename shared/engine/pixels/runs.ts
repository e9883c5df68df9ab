import { byteRow, endOfRun } from './byte-runs';

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
