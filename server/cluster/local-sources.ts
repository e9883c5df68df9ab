import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage, StoredFile } from '#shared/ports/storage';
import { diskFileOf, onDisk } from '../adapters/disk-file';
import { createFolder, openDiskFile } from '../adapters/storage';
import { partsOfKey } from '../adapters/storage-key';

const OWNER_ONLY_FILE = 0o600;

/** Copies a file to a path of this machine, piece by piece. */
const download = async (file: StoredFile, path: string): Promise<void> => {
  // Opened before the first byte: a stream that opens the file itself may do so after the removal below.
  const target = await onDisk(() => open(path, 'wx', OWNER_ONLY_FILE));
  try {
    await onDisk(() => pipeline(file.read(0, file.sizeBytes), target.createWriteStream()));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

/**
 * Files of one job of a worker: an upload that is opened has a path on this machine, as ffmpeg needs it.
 *
 * An upload on S3 is downloaded when it is opened, thus once for each video; images are read as they are. Converted
 * copies lie in the job's folder, because two attempts of one task would otherwise write the same copy.
 *
 * @param jobFolder exists; the caller removes it
 */
export const withLocalSources = (storage: Storage, jobFolder: string): Storage => {
  const copies = new Map<string, Promise<StoredFile | undefined>>();
  const openLocally = async (key: string, name: string): Promise<StoredFile | undefined> => {
    const file = await storage.open(key);
    if (!file) return undefined;
    const convertedPath = join(jobFolder, `${name}.converted.mp4`);
    if (file.handle !== undefined) {
      return { ...file, handle: { path: diskFileOf(file.handle).path, convertedPath } };
    }
    const path = join(jobFolder, name);
    await download(file, path);
    return openDiskFile(path, convertedPath);
  };
  const openOnce = (key: string, name: string): Promise<StoredFile | undefined> => {
    const opening =
      copies.get(key) ??
      openLocally(key, name).catch((error: unknown) => {
        copies.delete(key);
        throw error;
      });
    copies.set(key, opening);
    return opening;
  };
  return {
    ...storage,
    open: async (key) => {
      const { folder, names } = partsOfKey(key);
      return folder === 'input' ? openOnce(key, names.join('-')) : storage.open(key);
    },
  };
};

/**
 * Runs work with the files of its job, and a temporary folder of its own on this machine, which is removed.
 *
 * Creates the folder above as well: the system may clean its temporary files while a worker runs.
 *
 * @throws StorageUnavailable if the folder cannot be created
 */
export const withJobFiles = async <T>(
  storage: Storage,
  temporaryFolder: string,
  run: (storage: Storage) => Promise<T>,
): Promise<T> => {
  const folder = join(temporaryFolder, `job-${randomUUID()}`);
  await onDisk(() => createFolder(folder));
  try {
    return await run(withLocalSources(storage, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
