import { readdirSync, readFileSync } from 'node:fs';
import { peakResidentMiB, residentMiB } from './resident';

const SAMPLE_MS = 50;
/** Child processes are rare, and the list of all processes may be long, so it is read less often. */
const SAMPLES_PER_LISTING = 5;

/** Parent process. The process name before it may contain any characters, including brackets. */
const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
  } catch {
    return Number.NaN;
  }
};

const allProcesses = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** All processes that a process has started, directly or not. */
export const descendantsOf = (pid: number): readonly number[] => {
  const parents = new Map(allProcesses().map((one) => [one, parentOf(one)]));
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family.slice(1);
};

/** A running memory measurement. */
export interface WatchedMemory {
  /** @returns the maximum of resident MiB at any time; NaN if the system does not report it */
  stop(): number;
}

/**
 * Measures the memory of a process together with its descendants, such as a video converter.
 *
 * The sum is sampled, which misses short peaks. The kernel records the peak of the main process exactly, so the result
 * is never lower than that.
 */
export const watchMemory = (pid: number): WatchedMemory => {
  let [samples, max] = [0, 0];
  let family: readonly number[] = [pid];
  const sample = (): void => {
    if (samples++ % SAMPLES_PER_LISTING === 0) family = [pid, ...descendantsOf(pid)];
    const sum = family.reduce((all, one) => all + (residentMiB(one) || 0), 0);
    max = Math.max(max, sum, peakResidentMiB(pid) || 0);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return max === 0 ? Number.NaN : max;
    },
  };
};
