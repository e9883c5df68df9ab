import { HEAD_BYTES } from '../engine/formats/recognise';
import type { ReceivedFile, Storage } from '../ports/storage';
import { digestPieces } from '../tasks/base/digest';
import { createFakeSystem } from './fake-system';

export interface MemoryStorage extends Storage {
  readonly keys: () => string[];
}

/** Size of a piece; small, so that even a short file has several. */
const PIECE_BYTES = 1_000;

async function* pieces(bytes: Uint8Array, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; at += PIECE_BYTES) yield bytes.slice(at, Math.min(at + PIECE_BYTES, end));
}

/** Storage in memory. */
export const createMemoryStorage = (): MemoryStorage => {
  const files = new Map<string, Uint8Array>();
  return {
    write: async (key, bytes) => void files.set(key, bytes.slice()),
    read: async (key) => files.get(key)?.slice(),
    open: async (key) => {
      const bytes = files.get(key);
      return bytes && { sizeBytes: bytes.byteLength, read: (start, end) => pieces(bytes, start, end) };
    },
    create: async (key) => {
      let bytes = new Uint8Array(0);
      return {
        write: async (position, piece) => {
          const grown = new Uint8Array(Math.max(bytes.byteLength, position + piece.byteLength));
          grown.set(bytes);
          grown.set(piece, position);
          bytes = grown;
        },
        commit: async () => void files.set(key, bytes),
        discard: async () => undefined,
      };
    },
    remove: async (prefix) => {
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
    },
    keys: () => [...files.keys()].sort(),
  };
};

export interface MemoryFile extends ReceivedFile {
  /** Whether it was neither stored nor discarded. */
  readonly isHeld: () => boolean;
}

/** An upload that a host has received. */
export const receivedInMemory = (bytes: Uint8Array, storage: Storage): MemoryFile => {
  let held = true;
  return {
    sizeBytes: bytes.byteLength,
    source: { sizeBytes: bytes.byteLength, read: async (start, end) => bytes.slice(start, end) },
    head: async () => bytes.slice(0, HEAD_BYTES),
    digest: () => {
      const readPart = async (start: number, end: number): Promise<Uint8Array> => bytes.slice(start, end);
      return digestPieces({ sizeBytes: bytes.byteLength, readPart }, createFakeSystem());
    },
    moveTo: async (key) => {
      await storage.write(key, bytes);
      held = false;
    },
    discard: async () => void (held = false),
    isHeld: () => held,
  };
};
