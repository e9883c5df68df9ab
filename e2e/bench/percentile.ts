export const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** The smallest value that is not exceeded by this share of all values, 0..1. */
export const percentile = (inOrder: readonly number[], share: number): number =>
  inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? Number.NaN;
