import { diskFolder, type DiskFolder } from './disk-folder';

/** All tabs share it, so it is not named as those folders are that go with their tab. */
const FOLDER = 'models';

const root = (): Promise<FileSystemDirectoryHandle> => navigator.storage.getDirectory();

/** Whether this browser gives pages a part of the disk that can be written to. */
export const keepsOwnModels = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' &&
  'createWritable' in FileSystemFileHandle.prototype &&
  'locks' in navigator;

/** The folder of models that the user added, on the part of the disk that the browser keeps for this page (OPFS). */
export const createOwnFolder = async (): Promise<DiskFolder> =>
  diskFolder(await (await root()).getDirectoryHandle(FOLDER, { create: true }));

/** @returns undefined where nothing was added, or the browser keeps nothing */
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
