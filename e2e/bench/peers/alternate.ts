/** Why a measurement failed, in one sentence. */
export interface Failure {
  readonly problem: string;
}

/** Results of all rounds, or the failure. */
export type Rounds<Result> = { readonly runs: readonly Result[] } | Failure;

export const failureOf = (error: unknown): Failure => ({
  problem: error instanceof Error ? error.message : String(error),
});

/**
 * Measures several items in turn (A B A B …), so that a temporary slowdown of the machine affects all of them.
 *
 * An item that failed is not measured again.
 *
 * @param items distinguished by identity
 */
export const alternate = async <Item, Result>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item) => Promise<Result>,
): Promise<ReadonlyMap<Item, Rounds<Result>>> => {
  const runs = new Map<Item, Result[]>(items.map((item) => [item, []]));
  const failures = new Map<Item, Failure>();
  for (let round = 0; round < rounds; round++) {
    for (const item of items) {
      if (failures.has(item)) continue;
      await measure(item).then(
        (result) => runs.get(item)?.push(result),
        (error: unknown) => failures.set(item, failureOf(error)),
      );
    }
  }
  return new Map(items.map((item) => [item, failures.get(item) ?? { runs: runs.get(item) ?? [] }]));
};
