import type { Log, System } from '../ports/system';

/** A sweep of so many tasks or fewer is never held back: a small installation has often only a day's work. */
const SMALL_SWEEP = 20;
/** A sweep of more than this share of all tasks is not what a day brings. */
const LARGE_SHARE = 1 / 10;
/** Difference between two clocks that no jump explains: slewing changes 1.8 s in the hour between two sweeps. */
const CLOCK_TOLERANCE_MS = 60_000;
/** A refused sweep is tried again each minute; the log names it once in this time. */
const LOG_PAUSE_MS = 3_600_000;

/** Whether a removal is larger than what usually is due. @param all of which `due` are a part */
export const isLargeSweep = (due: number, all: number): boolean =>
  due > SMALL_SWEEP && due > all * LARGE_SHARE;

/** What a sweep would delete. */
export interface PlannedSweep {
  /** By the clock that decides what is due. */
  readonly nowMs: number;
  readonly due: number;
  /** All tasks, with those that are due. */
  readonly all: number;
}

/** Holds back sweeps that a wrong clock, or a wrong setting, has probably caused. */
export interface SweepGuard {
  allows(sweep: PlannedSweep): boolean;
}

/**
 * Creates the guard of one process.
 *
 * A clock that jumps makes everything due at once, and so does a retention that was just switched on or mistyped. So a
 * large sweep needs a confirmation. It needs none if all of it became due since the sweep before, while the clock went on
 * as the monotonic one did: hundreds of images that were processed together are due together.
 *
 * @param isConfirmed whether large sweeps are intended
 */
export const createSweepGuard = (
  { system, log }: { readonly system: Pick<System, 'elapsedMs'>; readonly log: Pick<Log, 'error'> },
  isConfirmed: boolean,
): SweepGuard => {
  let before: { readonly nowMs: number; readonly elapsedMs: number } | undefined;
  let loggedMs = -Infinity;
  const hasTimePassed = (nowMs: number, elapsedMs: number): boolean =>
    before !== undefined &&
    Math.abs(nowMs - before.nowMs - (elapsedMs - before.elapsedMs)) <= CLOCK_TOLERANCE_MS;
  return {
    allows: ({ nowMs, due, all }) => {
      const elapsedMs = system.elapsedMs();
      if (isConfirmed || !isLargeSweep(due, all) || hasTimePassed(nowMs, elapsedMs)) {
        before = { nowMs, elapsedMs };
        return true;
      }
      before = undefined;
      if (elapsedMs - loggedMs >= LOG_PAUSE_MS) {
        loggedMs = elapsedMs;
        log.error(
          'Retention stopped before it deleted more than a tenth of all tasks at once: check the clock and --data-retention, and start with --confirm-sweep if this is intended.',
          undefined,
          { due, all },
        );
      }
      return false;
    },
  };
};
