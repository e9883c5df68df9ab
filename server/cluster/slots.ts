import type { Timer } from '#shared/ports/system';

/** Places for a limited number of tasks. */
export interface Slots {
  /** Number of places that are taken. */
  taken(): number;
  /**
   * Waits for a place.
   *
   * @returns a function that leaves it; undefined if none became free in time
   */
  take(waitMs: number): Promise<(() => void) | undefined>;
}

type Enter = (leave: () => void) => void;

export const createSlots = (count: number, timer: Timer): Slots => {
  let taken = 0;
  const waiting = new Set<Enter>();
  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      taken -= 1;
      return;
    }
    waiting.delete(next);
    next(leave);
  };
  return {
    taken: () => taken,
    take: async (waitMs) => {
      if (taken < count) {
        taken += 1;
        return leave;
      }
      return new Promise((resolve) => {
        const enter: Enter = (own) => {
          callOff();
          resolve(own);
        };
        const callOff = timer.after(waitMs, () => {
          waiting.delete(enter);
          resolve(undefined);
        });
        waiting.add(enter);
      });
    },
  };
};
