import type { Log } from '../../ports/log';
import type { SubjectStore } from '../../ports/subject-store';
import type { System } from '../../ports/system';
import type { Timer } from '../../ports/timer';

interface ExpiryPorts {
  readonly subjects: SubjectStore;
  readonly system: Pick<System, 'nowMs'>;
  readonly timer: Timer;
  readonly log: Log;
}

const LONGEST_PAUSE_MS = 60_000;

/**
 * Deletes subjects so long after they were created.
 *
 * @param retentionMs above 0
 * @returns a function that ends it
 */
export const startExpiry = (
  retentionMs: number,
  { subjects, system, timer, log }: ExpiryPorts,
): (() => Promise<void>) => {
  let stopped = false;
  let callOff = (): void => undefined;
  const run = async (): Promise<void> => {
    await subjects
      .removeCreatedBefore(system.nowMs() - retentionMs)
      .catch((error: unknown) =>
        log.error('Old subjects could not be deleted; deletion will be retried.', error),
      );
    if (stopped) return;
    callOff = timer.after(Math.min(retentionMs, LONGEST_PAUSE_MS), () => {
      running = run();
    });
  };
  let running = run();
  return async () => {
    stopped = true;
    callOff();
    await running;
  };
};
