import { open, readFile, rm } from 'node:fs/promises';
import type { ReceivedFile } from '#shared/ports/storage';
import { onDisk } from '../adapters/disk-refusal';
import { pathOfKey, placeFile, type StorageFolders } from '../adapters/storage';

const readStart = async (path: string, bytes: number): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
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
  readStart: (maxBytes) => readStart(path, Math.min(maxBytes, sizeBytes)),
  moveTo: (key) => onDisk(() => placeFile(path, pathOfKey(folders, key))),
  discard: () => rm(path, { force: true }),
});
