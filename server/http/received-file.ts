import { open, readFile, rm } from 'node:fs/promises';
import type { ReceivedFile } from '#shared/ports/storage';
import { onDisk } from '../adapters/disk-refusal';
import { pathOfKey, placeFile, type StorageFolders } from '../adapters/storage';

const readPart = async (path: string, start: number, end: number): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/**
 * An upload's part on disk, not yet filed under a task.
 *
 * @param path in the input folder, so that filing it is a rename
 */
export const receivedFile = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  read: () => readFile(path),
  readPart: (start, end) => readPart(path, start, end),
  moveTo: (key) => onDisk(() => placeFile(path, pathOfKey(folders, key))),
  discard: () => rm(path, { force: true }),
});
