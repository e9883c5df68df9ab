import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of processes that cannot be asked are left over when nothing was written to them for so long. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Whether a process of this machine has this number. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether nothing was written for a day to a file, or to a folder and the files in it. */
export const isOld = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.mtimeMs >= Date.now() - MAX_AGE_MS) return false;
  if (!found.isDirectory()) return true;
  const names = await readdir(path).catch(() => []);
  const areOld = await Promise.all(names.map((name) => isOld(join(path, name))));
  return !areOld.includes(false);
};
