import { readFileSync } from 'node:fs';

/**
 * How many processes of this machine the kernel has ended for lack of memory.
 *
 * @returns undefined where the system does not say: only Linux does, in proc(5)
 */
export const countOomKills = (path = '/proc/vmstat'): number | undefined => {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(path, 'latin1')) ?? [];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
};
