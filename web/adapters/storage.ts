import type { ReceivedFile, Storage } from '#shared/ports/storage';

export interface BlobStorage extends Storage {
  /** A file of the user's, filed by reference: its bytes are read only when they are needed. */
  receive(file: Blob): ReceivedFile;
}

/** What a reader has in memory at a time. */
const PIECE_BYTES = 1024 ** 2;

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

async function* pieces(file: Blob, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) {
    yield await bytesOf(file.slice(at, Math.min(at + PIECE_BYTES, end)));
  }
}

/** The file that writes leave, one over the other. */
const assemble = (writes: readonly { readonly position: number; readonly bytes: Uint8Array }[]): Blob => {
  const end = writes.reduce((most, { position, bytes }) => Math.max(most, position + bytes.byteLength), 0);
  const whole = new Uint8Array(end);
  for (const { position, bytes } of writes) whole.set(bytes, position);
  return new Blob([whole]);
};

/**
 * Files for as long as the page is open.
 *
 * Kept as blobs, which the browser holds outside the script's memory and may move to disk.
 */
export const createStorage = (): BlobStorage => {
  const files = new Map<string, Blob>();
  return {
    write: async (key, bytes) => {
      files.set(key, new Blob([bytes as Uint8Array<ArrayBuffer>]));
    },
    read: async (key) => {
      const file = files.get(key);
      return file && bytesOf(file);
    },
    open: async (key) => {
      const file = files.get(key);
      return file && { sizeBytes: file.size, read: (start, end) => pieces(file, start, end) };
    },
    create: async (key) => {
      const writes: { readonly position: number; readonly bytes: Uint8Array }[] = [];
      return {
        write: async (position, bytes) => void writes.push({ position, bytes: bytes.slice() }),
        commit: async () => void files.set(key, assemble(writes)),
        discard: async () => void writes.splice(0),
      };
    },
    remove: async (prefix) => {
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
    },
    receive: (file) => ({
      sizeBytes: file.size,
      read: () => bytesOf(file),
      readStart: (maxBytes) => bytesOf(file.slice(0, maxBytes)),
      moveTo: async (key) => {
        files.set(key, file);
      },
      discard: async () => undefined,
    }),
  };
};
