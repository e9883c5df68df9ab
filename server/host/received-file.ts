import { copyFile, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ReceivedFile } from '#shared/ports/storage';
import { createFolder, pathOfKey, type StorageFolders } from '../adapters/storage';

/** Renames; copies where the folders lie on different disks. */
const move = async (from: string, to: string): Promise<void> => {
  await createFolder(dirname(to));
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
};

/** An upload's part on disk, not yet filed under a task. */
export const receivedFile = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  read: () => readFile(path),
  moveTo: (key) => move(path, pathOfKey(folders, key)),
  discard: () => rm(path, { force: true }),
});
