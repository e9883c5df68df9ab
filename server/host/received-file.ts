import { readFile, rm } from 'node:fs/promises';
import type { ReceivedFile } from '#shared/ports/storage';
import { onDisk } from '../adapters/disk-refusal';
import { pathOfKey, placeFile, type StorageFolders } from '../adapters/storage';

/**
 * An upload's part on disk, not yet filed under a task.
 *
 * @param path in the input folder, so that filing it is a rename
 */
export const receivedFile = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  read: () => readFile(path),
  moveTo: (key) => onDisk(() => placeFile(path, pathOfKey(folders, key))),
  discard: () => rm(path, { force: true }),
});
