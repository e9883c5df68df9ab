import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Storage, StoredFile, UnfinishedFile } from '#shared/ports/storage';
import { type DiskFile, writeAt, onDisk, whileReading } from './disk-file';
import { partsOfKey, partsOfPrefix } from './storage-key';
import { sharedFlush, syncFolder } from './sync-folder';

/** Paths of the first folders of keys on this machine. */
export interface StorageFolders {
  readonly input: string;
  readonly output: string;
}

/** Access only for the server's user, because files show people. */
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** How files are kept. */
interface Keeping {
  /** Whether they survive a power failure. */
  readonly isDurable: boolean;
  readonly fileMode: number;
}
const LASTING: Keeping = { isDurable: true, fileMode: OWNER_ONLY_FILE };
/** Until they are moved to their place: they are removed with the process, and have the usual permissions there. */
export const PASSING: Keeping = { isDurable: false, fileMode: 0o666 };

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const undefinedIfMissing = (error: unknown): undefined => {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
};

/** The path of a key. @throws Error if the key could lead out of the folders; see `partsOfKey` */
export const pathOfKey = (folders: StorageFolders, key: string): string => {
  const { folder, names } = partsOfKey(key);
  return join(folders[folder], ...names);
};

/** Creates the outermost folder that is missing. @throws the reason why it cannot be created */
const createOutermost = async (path: string): Promise<void> => {
  const parent = dirname(path);
  const hasParent = parent === path || (await stat(parent).catch(undefinedIfMissing)) !== undefined;
  if (!hasParent) return createOutermost(parent);
  await mkdir(path, { mode: OWNER_ONLY_FOLDER }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
};

/** @returns the outermost folder that was created */
export const createFolder = async (path: string): Promise<string | undefined> => {
  const create = (): Promise<string | undefined> => mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  try {
    return await create();
  } catch (error) {
    // If several levels are missing on a read-only disk, Node reports ENOENT, which is no reason.
    if (!hasCode(error, 'ENOENT')) throw error;
    await createOutermost(resolve(path));
    return create();
  }
};

/** A flush that several callers share. */
interface FolderFlush {
  readonly flush: () => Promise<void>;
  callers: number;
}

/** Flushes that run, by path of the folder. */
const flushes = new Map<string, FolderFlush>();

/** Makes a folder's entry in its parent durable, with one flush for all callers that wait for the same parent. */
const syncParent = async (folder: string): Promise<void> => {
  const parent = dirname(resolve(folder));
  const running = flushes.get(parent) ?? { flush: sharedFlush(() => syncFolder(parent)), callers: 0 };
  flushes.set(parent, running);
  running.callers += 1;
  try {
    await running.flush();
  } finally {
    running.callers -= 1;
    if (running.callers === 0) flushes.delete(parent);
  }
};

/** Makes the entries of new folders durable. @param first the outermost one; undefined: none is new */
const syncNewFolders = async (path: string, first: string | undefined): Promise<void> => {
  if (first === undefined) return;
  const outermost = resolve(first);
  const created = [resolve(path)];
  for (let folder = resolve(path); folder !== outermost && dirname(folder) !== folder;) {
    folder = dirname(folder);
    created.push(folder);
  }
  await Promise.all(created.map(syncParent));
};

/** Creates a folder, and makes its existence durable if its files are. */
const createKeptFolder = async (path: string, { isDurable }: Keeping): Promise<void> => {
  const first = await createFolder(path);
  if (isDurable) await syncNewFolders(path, first);
};

/**
 * Gives an upload whose content is already on the disk its final name.
 *
 * The rename is the last step, so that a file with this name is complete even after a power failure.
 */
export const fileUpload = async (received: string, path: string): Promise<void> => {
  const folder = dirname(path);
  const first = await createFolder(folder);
  await rename(received, path);
  await Promise.all([syncFolder(folder), syncNewFolders(folder, first)]);
};

/** Writes under a temporary name in the same folder, so that committing is a rename. */
const createFile = async (path: string, keeping: Keeping): Promise<UnfinishedFile> => {
  await createKeptFolder(dirname(path), keeping);
  const unfinished = join(dirname(path), `.${randomUUID()}.part`);
  const file = await open(unfinished, 'wx', keeping.fileMode);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) {
      isOpen = false;
      await file.close();
    }
  };
  return {
    write: (position, bytes) => onDisk(() => writeAt(file, position, bytes)),
    commit: () =>
      onDisk(async () => {
        if (keeping.isDurable) await file.sync();
        await close();
        await rename(unfinished, path);
        if (keeping.isDurable) await syncFolder(dirname(path));
      }),
    discard: async () => {
      await close();
      await rm(unfinished, { force: true });
    },
  };
};

const writeWhole = async (path: string, bytes: Uint8Array, keeping: Keeping): Promise<void> => {
  const file = await createFile(path, keeping);
  try {
    await file.write(0, bytes);
    await file.commit();
  } finally {
    await file.discard();
  }
};

async function* readRange(path: string, start: number, end: number): AsyncIterable<Uint8Array> {
  // In Node's streams `end` is inclusive.
  if (start < end) yield* createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Buffer>;
}

/** @param convertedPath see `DiskFile` @returns undefined where there is no such file */
export const openDiskFile = async (
  path: string,
  convertedPath = `${path}.converted.mp4`,
): Promise<StoredFile | undefined> => {
  const found = await stat(path).catch(undefinedIfMissing);
  const handle: DiskFile = { path: resolve(path), convertedPath: resolve(convertedPath) };
  return found && { sizeBytes: found.size, handle, read: (start, end) => readRange(path, start, end) };
};

/** A task that is being stopped may still write into a folder that is being removed. */
const RETRIES = { maxRetries: 10, retryDelay: 20 } as const;

const removeFolder = async (folder: string, { isDurable }: Keeping): Promise<void> => {
  await rm(folder, { recursive: true, force: true, ...RETRIES });
  if (isDurable) await syncParent(folder).catch(undefinedIfMissing);
};

/** Removes the files in the prefix's folder whose names begin with the prefix's last part. */
const removeBeginningWith = async (
  folders: StorageFolders,
  prefix: string,
  keeping: Keeping,
): Promise<void> => {
  const { folderKey, beginning } = partsOfPrefix(prefix);
  const folder = pathOfKey(folders, folderKey);
  if (beginning === '') return removeFolder(folder, keeping);
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const matching = names.filter((name) => name.startsWith(beginning));
  await Promise.all(matching.map((name) => rm(join(folder, name), { recursive: true, force: true })));
};

/** Files of tasks on disk. Rejects with `StorageUnavailable` if the disk is full, read-only or lost. */
export const createStorage = (folders: StorageFolders, keeping = LASTING): Storage => ({
  write: (key, bytes) => onDisk(() => writeWhole(pathOfKey(folders, key), bytes, keeping)),
  read: (key) => whileReading(() => readFile(pathOfKey(folders, key)).catch(undefinedIfMissing)),
  create: (key) => onDisk(() => createFile(pathOfKey(folders, key), keeping)),
  open: (key) => whileReading(async () => openDiskFile(pathOfKey(folders, key))),
  remove: (prefix) => onDisk(() => removeBeginningWith(folders, prefix, keeping)),
});
