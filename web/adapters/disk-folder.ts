import type { UnfinishedFile } from '#shared/ports/storage';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';

/** A folder in the browser's private file system (OPFS). Names contain no slashes. */
export interface DiskFolder {
  names(): Promise<readonly string[]>;
  /** @returns undefined if the file does not exist */
  file(name: string): Promise<Blob | undefined>;
  /** Writes a file in pieces, completely or not at all. @throws StorageUnavailable if the disk or the quota is full */
  write(name: string, content: Blob, signal?: AbortSignal): Promise<void>;
  /** Creates a file that appears in the folder when it is committed. */
  create(name: string): Promise<UnfinishedFile>;
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>;
}

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;

/** Name of the browser's error for a full disk or quota. */
const onDisk = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw isNamed(error, 'QuotaExceededError') ? new StorageUnavailable('full', error) : error;
  }
};

/** Handles the error of a file or folder that does not exist. @throws every other error */
export const unlessMissing = (error: unknown): undefined => {
  if (!isNamed(error, 'NotFoundError')) throw error;
};

const removeFile = (folder: FileSystemDirectoryHandle, name: string): Promise<void> =>
  folder.removeEntry(name).catch(unlessMissing);

/** Cleans up after a failed write: an existing file is unchanged, but a new one is left empty. */
const removeIfEmpty = async (
  folder: FileSystemDirectoryHandle,
  handle: FileSystemFileHandle,
): Promise<void> => {
  if ((await handle.getFile()).size === 0) await removeFile(folder, handle.name);
};

const createFile = async (folder: FileSystemDirectoryHandle, name: string): Promise<UnfinishedFile> => {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  let isCommitted = false;
  return {
    write: (position, bytes) =>
      onDisk(stream.write({ type: 'write', position, data: bytes as Uint8Array<ArrayBuffer> })),
    commit: async () => {
      await onDisk(stream.close());
      isCommitted = true;
    },
    discard: async () => {
      if (isCommitted) return;
      await stream.abort().catch(() => undefined); // already closed by a failed write
      await removeIfEmpty(folder, handle);
    },
  };
};

const writeFile = async (
  folder: FileSystemDirectoryHandle,
  name: string,
  content: Blob,
  signal?: AbortSignal,
): Promise<void> => {
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    await onDisk(content.stream().pipeTo(await handle.createWritable(), signal ? { signal } : {}));
  } catch (error) {
    await removeIfEmpty(folder, handle);
    throw error;
  }
};

export const diskFolder = (folder: FileSystemDirectoryHandle): DiskFolder => ({
  names: async () => {
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  },
  file: async (name) => {
    const handle = await folder.getFileHandle(name).catch(unlessMissing);
    return (await handle?.getFile().catch(unlessMissing)) ?? undefined;
  },
  write: (name, content, signal) => writeFile(folder, name, content, signal),
  create: (name) => createFile(folder, name),
  remove: (name) => removeFile(folder, name),
});

/** Name of the folder that all tabs share. It differs from the names of the tabs' own folders. */
const FOLDER = 'models';
const DOWNLOADS = 'model-downloads';

const root = (): Promise<FileSystemDirectoryHandle> => navigator.storage.getDirectory();

/** Whether this browser provides writable files for pages (OPFS). */
export const providesFolders = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' &&
  'createWritable' in FileSystemFileHandle.prototype &&
  'locks' in navigator;

const createFolder = async (name: string): Promise<DiskFolder> =>
  diskFolder(await (await root()).getDirectoryHandle(name, { create: true }));

/** The folder of added models in the browser's private file system (OPFS). */
export const createOwnFolder = (): Promise<DiskFolder> => createFolder(FOLDER);

/** The folder of models that are being downloaded. */
export const createDownloadFolder = (): Promise<DiskFolder> => createFolder(DOWNLOADS);

/** @returns undefined if no model was added or the browser provides no storage */
export const openOwnFolder = async (): Promise<DiskFolder | undefined> => {
  try {
    return diskFolder(await (await root()).getDirectoryHandle(FOLDER));
  } catch {
    return undefined;
  }
};

const removeFolder = async (name: string): Promise<void> => {
  await (await root()).removeEntry(name, { recursive: true }).catch(unlessMissing);
};

export const removeOwnFolder = (): Promise<void> => removeFolder(FOLDER);
export const removeDownloads = (): Promise<void> => removeFolder(DOWNLOADS);
