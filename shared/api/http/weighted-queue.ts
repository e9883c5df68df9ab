/**
 * Runs work first come, first served, as much at once as there is room for.
 *
 * `p-limit` does the same where each piece counts as one; it cannot weigh them.
 */
export interface WeightedQueue {
  /**
   * Settles as `work` does; a piece that fails never stops the ones behind it.
   *
   * @param weight how much of the room it takes; what is heavier than all of it runs alone
   */
  run<T>(work: () => Promise<T>, weight: number): Promise<T>;
}

interface Waiting {
  readonly weight: number;
  start(): Promise<void>;
}

/** @param room how much all that runs at once may weigh together, in the unit of the weights */
export const createWeightedQueue = (room: number): WeightedQueue => {
  const waiting: Waiting[] = [];
  let taken = 0;
  const startNext = (): void => {
    const [next] = waiting;
    if (!next || (taken > 0 && taken + next.weight > room)) return;
    waiting.shift();
    taken += next.weight;
    void next.start().finally(() => {
      taken -= next.weight;
      startNext();
    });
    startNext();
  };
  return {
    run: <T>(work: () => Promise<T>, weight: number) =>
      new Promise<T>((resolve, reject) => {
        const start = async (): Promise<void> => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error as Error);
          }
        };
        waiting.push({ weight, start });
        startNext();
      }),
  };
};
