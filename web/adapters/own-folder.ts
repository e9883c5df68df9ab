import { diskFolder, type DiskFolder } from './disk-folder';

/** Name of the folder that all tabs share. It differs from the names of the tabs' own folders. */
const FOLDER = 'models';

const root = (): Promise<FileSystemDirectoryHandle> => navigator.storage.getDirectory();

/** Whether this browser provides writable files for pages (OPFS). */
export const keepsOwnModels = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' &&
  'createWritable' in FileSystemFileHandle.prototype &&
  'locks' in navigator;

/** The folder of added models in the browser's private file system (OPFS). */
export const createOwnFolder = async (): Promise<DiskFolder> =>
  diskFolder(await (await root()).getDirectoryHandle(FOLDER, { create: true }));

/** @returns undefined if no model was added or the browser provides no storage */
export const openOwnFolder = async (): Promise<DiskFolder | undefined> => {
  try {
    return diskFolder(await (await root()).getDirectoryHandle(FOLDER));
  } catch {
    return undefined;
  }
};

export const removeOwnFolder = async (): Promise<void> => {
  if (!(await openOwnFolder())) return;
  await (await root()).removeEntry(FOLDER, { recursive: true });
};
