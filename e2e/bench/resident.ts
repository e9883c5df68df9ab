import { readFileSync } from 'node:fs';

const statusMiB = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
};

/** Resident memory of a process in MiB; NaN if the system does not report it. */
export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');

/** Peak of the resident memory in MiB; NaN if the system does not report it. */
export const peakResidentMiB = (pid: number): number => statusMiB(pid, 'VmHWM');
