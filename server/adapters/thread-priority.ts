import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Added to the niceness of the main thread: a third of its weight, so that work continues even under constant load. */
const NICER_BY = 5;

/**
 * Lowers the priority of the calling thread, and of threads that it starts, below that of the process's other threads.
 *
 * Models use all cores, while answering requests takes little time and should not wait. Only Linux has priorities of
 * threads; elsewhere, and where the system refuses the change, this has no effect.
 *
 * @see setpriority(2), C library/kernel differences
 */
export const yieldToOthers = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const niceness = Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + NICER_BY);
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // Without it, answers are slower under load, and nothing else changes.
  }
};
