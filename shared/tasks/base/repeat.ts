import type { Log, Timer } from '../../ports/system';

/** How often something is repeated, and what its failure means. */
export interface Repetition {
  /** Pause between the end of one run and the start of the next, unless the run says another one. */
  readonly everyMs: number;
  /** Sentence for the log if a run fails; the next run comes all the same. */
  readonly problem: string;
}

/** A promise that resolves after a time, or as soon as the signal aborts. */
export const pause = (ms: number, timer: Timer, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = timer.after(ms, end);
    signal.addEventListener('abort', end);
  });

/**
 * Runs something again and again until the signal aborts; the first time at once. Never rejects.
 *
 * @param run may return the pause until the next run in ms
 */
export const repeat = async (
  { everyMs, problem }: Repetition,
  run: (signal: AbortSignal) => Promise<unknown>,
  { timer, log }: { readonly timer: Timer; readonly log: Log },
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const pauseMs = await run(signal).catch((error: unknown) => {
      if (!signal.aborted) log.error(problem, error);
    });
    await pause(typeof pauseMs === 'number' ? pauseMs : everyMs, timer, signal);
  }
};
