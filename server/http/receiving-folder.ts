import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { onDisk } from '../adapters/disk-file';
import { isOld, isRunning } from '../adapters/private-folder';
import { createFolder, fileUpload, pathOfKey, type StorageFolders } from '../adapters/storage';

/** Inside the input folder, so that filing an upload is a rename. */
const NAME = '.receiving';

/** Path of the folder of incomplete files. What is old is removed from it, whatever its name is. */
export const receivingPath = ({ input }: Pick<StorageFolders, 'input'>): string => join(input, NAME);

/** A folder on this machine for files that are not complete yet. */
export interface TemporaryFiles {
  /** Path of a new file, which no other process uses. */
  newPath(): string;
}

/** Where uploads lie until they are whole. */
export interface ReceivingFolder extends TemporaryFiles {
  /** Folders on this machine whose disks fill with uploads and results; none where a file store keeps them. */
  readonly places: readonly string[];
  /** Moves a complete file to its key in the storage. Rejects with `StorageUnavailable` where it cannot. */
  moveTo(path: string, key: string): Promise<void>;
}

/** Left by a process that is gone, or by an earlier one with our own number. */
const isOfEndedProcess = async (path: string): Promise<boolean> => {
  const pid = Number.parseInt(basename(path), 10);
  return pid === process.pid || !isRunning(pid);
};

/**
 * Opens a folder of incomplete files, and removes what a crash left in it: images that belong to no task.
 *
 * @param owner what the names of new files begin with
 */
const openTemporaryFiles = async (
  folder: string,
  owner: string,
  isLeftOver: (path: string) => Promise<boolean>,
): Promise<TemporaryFiles> => {
  await createFolder(folder);
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const removeLeftOver = async (path: string): Promise<void> => {
    if (await isLeftOver(path)) await rm(path, { recursive: true, force: true });
  };
  await Promise.all(paths.map(removeLeftOver));
  return { newPath: () => join(folder, `${owner}-${randomUUID()}`) };
};

/** Opens a folder whose files may belong to other machines or containers: process ids mean nothing there. */
export const openTemporaryFilesOfHosts = (folder: string): Promise<TemporaryFiles> =>
  openTemporaryFiles(folder, randomUUID(), isOld);

const filing = (folders: StorageFolders): Pick<ReceivingFolder, 'moveTo' | 'places'> => ({
  places: [folders.input, folders.output],
  moveTo: (path, key) => onDisk(() => fileUpload(path, pathOfKey(folders, key))),
});

/** Opens the receiving folder of the one server that uses these folders. */
export const openReceivingFolder = async (folders: StorageFolders): Promise<ReceivingFolder> => ({
  ...(await openTemporaryFiles(receivingPath(folders), String(process.pid), isOfEndedProcess)),
  ...filing(folders),
});

/** Opens the receiving folder in folders that several hosts share. */
export const openSharedReceivingFolder = async (folders: StorageFolders): Promise<ReceivingFolder> => ({
  ...(await openTemporaryFilesOfHosts(receivingPath(folders))),
  ...filing(folders),
});
