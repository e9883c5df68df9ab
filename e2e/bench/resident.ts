import { readFileSync } from 'node:fs';

/** Memory of a process in MiB that is in the machine's own; NaN where the system does not tell. */
export const residentMiB = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
};
