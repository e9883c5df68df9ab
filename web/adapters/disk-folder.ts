import type { Log } from '#shared/ports/log';
import type { UnfinishedFile } from '#shared/ports/storage';
import { StorageUnavailable } from '#shared/tasks/storage-unavailable';

/** Gets a file that is whole; it stays on disk and is read from there. */
type Keep = (file: Blob, remove: () => Promise<void>) => Promise<void>;

/** Large results on disk, in the part of it that the browser keeps for this page alone (OPFS). */
export interface DiskFolder {
  /** @returns undefined where the browser gives no folder (private windows) */
  create(keep: Keep): Promise<UnfinishedFile | undefined>;
}

const PREFIX = 'veil-';

/** Removes what pages left that were closed in the middle; a page that is open holds its folder's lock. */
const removeOrphans = async (root: FileSystemDirectoryHandle): Promise<void> => {
  const { held = [] } = await navigator.locks.query();
  const inUse = new Set(held.map(({ name }) => name));
  for await (const name of root.keys()) {
    if (name.startsWith(PREFIX) && !inUse.has(name)) await root.removeEntry(name, { recursive: true });
  }
};

/** Resolves once the lock is held, which is until the page goes. */
const hold = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, () => {
        resolve();
        return new Promise(() => undefined);
      })
      .catch(reject);
  });

const openFolder = async (id: string): Promise<FileSystemDirectoryHandle> => {
  const root = await navigator.storage.getDirectory();
  const name = `${PREFIX}${id}`;
  await hold(name);
  await removeOrphans(root);
  // A page that the browser keeps for the way back goes on with its files.
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) void root.removeEntry(name, { recursive: true }).catch(() => undefined);
  });
  return root.getDirectoryHandle(name, { create: true });
};

/** What the browser says where the disk, or the page's share of it, is full. */
const onDisk = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    throw isFull ? new StorageUnavailable('full', error) : error;
  }
};

const createFile = async (
  folder: FileSystemDirectoryHandle,
  name: string,
  keep: Keep,
): Promise<UnfinishedFile> => {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  const remove = (): Promise<void> => folder.removeEntry(name);
  let isCommitted = false;
  return {
    write: (position, bytes) =>
      onDisk(stream.write({ type: 'write', position, data: bytes as Uint8Array<ArrayBuffer> })),
    commit: async () => {
      await onDisk(stream.close());
      isCommitted = true;
      await keep(await handle.getFile(), remove);
    },
    discard: async () => {
      if (isCommitted) return;
      await stream.abort().catch(() => undefined); // a writing that failed has closed it
      await remove();
    },
  };
};

const isOffered = (): boolean =>
  typeof FileSystemFileHandle !== 'undefined' &&
  'createWritable' in FileSystemFileHandle.prototype &&
  'locks' in navigator;

/**
 * The page's folder on disk, made when the first file is.
 *
 * @param id of this page: several of them must not get in each other's way
 * @returns undefined for a browser that knows no such folders
 */
export const createDiskFolder = (id: string, log: Log): DiskFolder | undefined => {
  if (!isOffered()) return undefined;
  let opening: Promise<FileSystemDirectoryHandle | undefined> | undefined;
  let lastFile = 0;
  return {
    create: async (keep) => {
      opening ??= openFolder(id).catch((cause: unknown) => {
        log.error('This browser gives the page no folder on disk; results stay in memory', cause);
        return undefined;
      });
      const folder = await opening;
      return folder && createFile(folder, `${++lastFile}`, keep);
    },
  };
};
