/**
 * Runs jobs in order, and limits the sum of the weights of those that run at the same time.
 *
 * `p-limit` limits only the number of jobs and has no weights.
 */
export interface WeightedQueue {
  /**
   * Settles like `work`. A job that fails does not stop later ones.
   *
   * @param weight share of the capacity; a job that is heavier than the whole capacity runs alone
   */
  run<T>(work: () => Promise<T>, weight: number): Promise<T>;
}

interface Waiting {
  readonly weight: number;
  start(): Promise<void>;
}

/** @param capacity maximum sum of the weights of jobs that run at the same time */
export const createWeightedQueue = (capacity: number): WeightedQueue => {
  const waiting: Waiting[] = [];
  let taken = 0;
  const startNext = (): void => {
    const [next] = waiting;
    if (!next || (taken > 0 && taken + next.weight > capacity)) return;
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
