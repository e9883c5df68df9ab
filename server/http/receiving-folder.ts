import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../adapters/storage';

/** Inside the input folder, so that filing an upload is a rename. */
const NAME = '.receiving';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Left by a process that is gone, or by an earlier one with our own number. */
const isLeftOver = (name: string): boolean => {
  const pid = Number.parseInt(name, 10);
  return pid === process.pid || !isRunning(pid);
};

/** Where uploads lie until they are whole. */
export interface ReceivingFolder {
  newPath(): string;
}

/** Opens the folder, and removes what a crash left in it: pictures that belong to no task. */
export const openReceivingFolder = async (inputFolder: string): Promise<ReceivingFolder> => {
  const folder = join(inputFolder, NAME);
  await createFolder(folder);
  const names = await readdir(folder);
  await Promise.all(names.filter(isLeftOver).map((name) => rm(join(folder, name), { force: true })));
  return { newPath: () => join(folder, `${process.pid}-${randomUUID()}`) };
};
