import { readFileSync } from 'node:fs';

const statusMiB = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
};

/** Memory of a process in MiB that is in the machine's own; NaN where the system does not tell. */
export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');

/** The most of it that there ever was; NaN where the system does not tell. */
export const peakResidentMiB = (pid: number): number => statusMiB(pid, 'VmHWM');
