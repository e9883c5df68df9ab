/** Runs work first come, first served, at most so many pieces at once. */
export interface Queue {
  /** Settles as `work` does; a piece that fails never stops the ones behind it. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @param concurrency pieces of work that may run at once, 1 or more */
export const createQueue = (concurrency: number): Queue => {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const startNext = (): void => {
    if (running >= concurrency) return;
    const start = waiting.shift();
    if (!start) return;
    running += 1;
    void start().finally(() => {
      running -= 1;
      startNext();
    });
  };
  return {
    run: <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push(async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error as Error);
          }
        });
        startNext();
      }),
  };
};
