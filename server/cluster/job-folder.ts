import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from '../adapters/disk-refusal';
import { createFolder } from '../adapters/storage';

/**
 * Runs work with a temporary folder of its own on this machine, and removes the folder.
 *
 * Creates the folder above as well: the system may clean its temporary files while a worker runs.
 *
 * @throws StorageUnavailable if the folder cannot be created
 */
export const withJobFolder = async <T>(
  temporaryFolder: string,
  run: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = join(temporaryFolder, `job-${randomUUID()}`);
  await onDisk(() => createFolder(folder));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
