import { readdirSync, readFileSync } from 'node:fs';
import { peakResidentMiB, residentMiB } from '../resident';

const SAMPLE_MS = 50;
/** Programs start others seldom, and the list of all processes may be long. */
const SAMPLES_PER_LISTING = 5;

/** The process that started another; the name between may hold anything, brackets too. */
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

/** A process and all that it started, directly or not. */
const familyOf = (pid: number): readonly number[] => {
  const parents = new Map(allProcesses().map((one) => [one, parentOf(one)]));
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
};

/** Memory while it is watched. */
export interface WatchedMemory {
  /** @returns the most MiB that were resident at once; NaN where the system does not tell */
  stop(): number;
}

/**
 * Watches a process together with those it starts, such as a converter of videos.
 *
 * The sum is sampled, which misses short peaks; the kernel's own record of the one process, which does not, is the
 * least that is told.
 */
export const watchMemory = (pid: number): WatchedMemory => {
  let [samples, max] = [0, 0];
  let family: readonly number[] = [pid];
  const sample = (): void => {
    if (samples++ % SAMPLES_PER_LISTING === 0) family = familyOf(pid);
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
