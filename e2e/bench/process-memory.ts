import { descendantsOf } from '../support/descendants';
import { peakResidentMiB, residentMiB } from './resident';

const SAMPLE_MS = 50;
/** Child processes are rare, and the list of all processes may be long, so it is read less often. */
const SAMPLES_PER_LISTING = 5;

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
