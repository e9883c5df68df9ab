import { copyFile, open, realpath, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import type { ReceivedFile } from '#shared/ports/storage';
import { diskSource } from '../adapters/disk-file';
import { createFolder, pathOfKey, type StorageFolders } from '../adapters/storage';

/** The first bytes of a file, as many as decide its format. */
export const readHead = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Links to the source. Windows allows links only to some users: the file is copied there. */
const link = async (source: string, place: string): Promise<void> => {
  try {
    await symlink(source, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    await copyFile(source, place);
  }
};

/** A file of this machine in the place of an upload. Its task reads it where it is, so that no copy is left behind. */
export const linkedSource = (path: string, sizeBytes: number, folders: StorageFolders): ReceivedFile => ({
  sizeBytes,
  head: () => readHead(path),
  source: diskSource(path, sizeBytes),
  digest: () => Promise.reject(new Error('Only uploads with a key have a digest.')),
  moveTo: async (key) => {
    const place = pathOfKey(folders, key);
    await createFolder(dirname(place));
    await link(await realpath(path), place);
  },
  discard: async () => undefined,
});
