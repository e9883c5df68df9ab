import type { Log } from '#shared/ports/system';
import type { ReceivedFile, Storage, UnfinishedFile } from '#shared/ports/storage';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
import { digestPieces } from '#shared/tasks/base/digest';
import type { DiskFolder } from './disk-folder';
import { bytesOf, readWhole } from './read-whole';
import { system } from './system';

/**
 * A file that is being written, made of blobs: the browser holds them outside the script's memory and may move them to
 * disk.
 *
 * Overwritten ranges are cut out of the blobs that contain them.
 */
const createBlobFile = (keep: (file: Blob) => Promise<void>): UnfinishedFile => {
  let file = new Blob([]);
  return {
    write: async (position, bytes) => {
      const gap = new Uint8Array(Math.max(0, position - file.size));
      const end = position + bytes.byteLength;
      file = new Blob([file.slice(0, position), gap, bytes as Uint8Array<ArrayBuffer>, file.slice(end)]);
    },
    commit: () => keep(file),
    discard: async () => void (file = new Blob([])),
  };
};

/** Returns the folder, created for the first file; undefined if the browser provides none. */
type OpenFolder = () => Promise<DiskFolder | undefined>;

export interface BlobStorage extends Storage {
  /** Stores a user's file by reference: its bytes are read when they are needed. */
  receive(file: Blob): ReceivedFile;
  /** Returns the stored file without reading it. @returns undefined if it does not exist */
  file(key: string): Promise<Blob | undefined>;
  /** Like `write`, without a copy in the script's memory. */
  keepBlob(key: string, content: Blob): Promise<void>;
  /**
   * Registers the files that an earlier page left in a folder.
   *
   * @param isWanted returns whether to keep the file of a key; other files are removed
   */
  adopt(folder: DiskFolder, isWanted: (key: string) => boolean): Promise<void>;
}

interface Stored {
  /** @returns undefined if the file was removed from the disk */
  file(): Promise<Blob | undefined>;
  readonly isOnDisk: boolean;
}

/** Size of the pieces that a reader holds in memory, in bytes. */
const PIECE_BYTES = 1024 ** 2;

async function* pieces(file: Blob, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) {
    yield await bytesOf(file.slice(at, Math.min(at + PIECE_BYTES, end)));
  }
}

/** Prefix of the names of task files, which share the folder with other files. */
const FILE_PREFIX = 'task+';
const nameOf = (key: string): string => FILE_PREFIX + key.replaceAll('/', '+');
const keyOf = (name: string): string => name.slice(FILE_PREFIX.length).replaceAll('+', '/');

const inMemory = (file: Blob): Stored => ({ file: async () => file, isOnDisk: false });

const receivedFile = (file: Blob, keep: (key: string, stored: Stored) => Promise<void>): ReceivedFile => ({
  sizeBytes: file.size,
  source: { sizeBytes: file.size, read: (start, end) => bytesOf(file.slice(start, end)), handle: file },
  head: () => bytesOf(file.slice(0, HEAD_BYTES)),
  digest: () =>
    digestPieces({ sizeBytes: file.size, readPart: (start, end) => bytesOf(file.slice(start, end)) }, system),
  moveTo: (key) => keep(key, inMemory(file)),
  discard: async () => undefined,
});

const onDisk = (folder: DiskFolder, key: string): Stored => ({
  file: () => folder.file(nameOf(key)),
  isOnDisk: true,
});

/** Writes to the folder, if it exists and has room. */
const written = async (key: string, content: Blob, openFolder: OpenFolder, log: Log): Promise<Stored> => {
  const folder = await openFolder();
  try {
    await folder?.write(nameOf(key), content);
  } catch (cause) {
    log.error('A result stays in memory because it could not be written to disk', cause);
    return inMemory(content);
  }
  return folder ? onDisk(folder, key) : inMemory(content);
};

/**
 * Stores files of tasks.
 *
 * Files are written to the folder, so that a reloaded page finds them. Without a folder, or if the disk is full, they
 * are blobs, which the browser holds outside the script's memory until the page is closed.
 */
export const createStorage = (log: Log, openFolder: OpenFolder = async () => undefined): BlobStorage => {
  const files = new Map<string, Stored>();
  const removeFromDisk = async (key: string): Promise<void> => (await openFolder())?.remove(nameOf(key));
  const keep = async (key: string, stored: Stored): Promise<void> => {
    const replaced = files.get(key);
    files.set(key, stored);
    if (replaced?.isOnDisk && !stored.isOnDisk) await removeFromDisk(key);
  };
  const remove = async (key: string): Promise<void> => {
    const stored = files.get(key);
    files.delete(key);
    if (stored?.isOnDisk) await removeFromDisk(key);
  };
  const fileOf = async (key: string): Promise<Blob | undefined> => files.get(key)?.file();
  const keepBlob = async (key: string, content: Blob): Promise<void> =>
    keep(key, await written(key, content, openFolder, log));
  return {
    write: (key, bytes) => keepBlob(key, new Blob([bytes as Uint8Array<ArrayBuffer>])),
    keepBlob,
    file: fileOf,
    read: (key) => readWhole(() => fileOf(key)),
    open: async (key) => {
      const file = await fileOf(key);
      return file && { sizeBytes: file.size, handle: file, read: (start, end) => pieces(file, start, end) };
    },
    create: async (key) => {
      const folder = await openFolder();
      if (!folder) return createBlobFile((file) => keep(key, inMemory(file)));
      const growing = await folder.create(nameOf(key));
      return {
        ...growing,
        commit: async () => {
          await growing.commit();
          await keep(key, onDisk(folder, key));
        },
      };
    },
    remove: async (prefix) => {
      for (const key of [...files.keys()]) if (key.startsWith(prefix)) await remove(key);
    },
    adopt: async (folder, isWanted) => {
      for (const name of await folder.names()) {
        if (!name.startsWith(FILE_PREFIX)) continue;
        const key = keyOf(name);
        if (isWanted(key)) files.set(key, onDisk(folder, key));
        else await folder.remove(name);
      }
    },
    receive: (file) => receivedFile(file, keep),
  };
};
