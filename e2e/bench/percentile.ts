export const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** The value that a share of all, 0..1, does not exceed. */
export const percentile = (inOrder: readonly number[], share: number): number =>
  inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? Number.NaN;
