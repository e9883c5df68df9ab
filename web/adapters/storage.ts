import type { ReceivedFile, Storage } from '#shared/ports/storage';
import { createBlobFile } from './blob-file';
import type { DiskFolder } from './disk-folder';

export interface BlobStorage extends Storage {
  /** A file of the user's, filed by reference: its bytes are read only when they are needed. */
  receive(file: Blob): ReceivedFile;
  /** The file itself, whose bytes lie where they lie. @returns undefined where there is no such file */
  file(key: string): Promise<Blob | undefined>;
}

interface Stored {
  readonly file: Blob;
  /** What has to be done for the bytes to be gone, too. */
  readonly free?: () => Promise<void>;
}

/** What a reader has in memory at a time. */
const PIECE_BYTES = 1024 ** 2;

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

async function* pieces(file: Blob, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) {
    yield await bytesOf(file.slice(at, Math.min(at + PIECE_BYTES, end)));
  }
}

/**
 * Files for as long as the page is open.
 *
 * Kept as blobs, which the browser holds outside the script's memory and may move to disk.
 *
 * @param disk where files are made that are written piece by piece; without one they are blobs, too
 */
export const createStorage = (disk?: DiskFolder): BlobStorage => {
  const files = new Map<string, Stored>();
  const remove = async (key: string): Promise<void> => {
    const stored = files.get(key);
    files.delete(key);
    await stored?.free?.();
  };
  /** In one step: who asks meanwhile gets the old file or the new one. */
  const keep = async (key: string, stored: Stored): Promise<void> => {
    const before = files.get(key);
    files.set(key, stored);
    await before?.free?.();
  };
  return {
    write: (key, bytes) => keep(key, { file: new Blob([bytes as Uint8Array<ArrayBuffer>]) }),
    file: async (key) => files.get(key)?.file,
    read: async (key) => {
      const stored = files.get(key);
      return stored && bytesOf(stored.file);
    },
    open: async (key) => {
      const stored = files.get(key);
      if (!stored) return undefined;
      const { file } = stored;
      return { sizeBytes: file.size, handle: file, read: (start, end) => pieces(file, start, end) };
    },
    create: async (key) => {
      const onDisk = await disk?.create((file, free) => keep(key, { file, free }));
      return onDisk ?? createBlobFile((file) => keep(key, { file }));
    },
    remove: async (prefix) => {
      for (const key of [...files.keys()]) if (key.startsWith(prefix)) await remove(key);
    },
    receive: (file) => ({
      sizeBytes: file.size,
      read: () => bytesOf(file),
      readPart: (start, end) => bytesOf(file.slice(start, end)),
      moveTo: (key) => keep(key, { file }),
      discard: async () => undefined,
    }),
  };
};
