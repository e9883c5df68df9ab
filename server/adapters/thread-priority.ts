import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Above the niceness of the main thread: a third of its weight, so work still gets on where others always have something to do. */
const NICER_BY = 5;

/**
 * Lets the calling thread, and those that it starts, run behind the process' other threads.
 *
 * Models keep all cores busy; what answers requests takes little and should have it at once. Linux alone has
 * priorities of threads; elsewhere nothing is done, and neither where the system does not let us.
 *
 * @see setpriority(2), C library/kernel differences
 */
export const yieldToOthers = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const niceness = Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + NICER_BY);
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // Slower answers under load, and nothing else.
  }
};
