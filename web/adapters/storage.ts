import type { ReceivedFile, Storage } from '#shared/ports/storage';

export interface BlobStorage extends Storage {
  /** A file of the user's, filed by reference: its bytes are read only when they are needed. */
  receive(file: Blob): ReceivedFile;
}

/**
 * Files for as long as the page is open.
 *
 * Kept as blobs, which the browser holds outside the script's memory and may move to disk.
 */
export const createStorage = (): BlobStorage => {
  const files = new Map<string, Blob>();
  const read = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
  return {
    write: async (key, bytes) => {
      files.set(key, new Blob([bytes as Uint8Array<ArrayBuffer>]));
    },
    read: async (key) => {
      const file = files.get(key);
      return file && read(file);
    },
    remove: async (prefix) => {
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
    },
    receive: (file) => ({
      sizeBytes: file.size,
      read: () => read(file),
      moveTo: async (key) => {
        files.set(key, file);
      },
      discard: async () => undefined,
    }),
  };
};
