import type { System } from '../../ports/system';

/** Milliseconds spent in each step of a chain, by its name. */
export interface Stopwatch {
  time<T>(step: string, work: () => Promise<T> | T): Promise<T>;
  readonly timings: Readonly<Record<string, number>>;
}

export const createStopwatch = (system: Pick<System, 'elapsedMs'>): Stopwatch => {
  const timings: Record<string, number> = {};
  return {
    timings,
    time: async (step, work) => {
      const start = system.elapsedMs();
      try {
        return await work();
      } finally {
        timings[step] = (timings[step] ?? 0) + system.elapsedMs() - start;
      }
    },
  };
};
