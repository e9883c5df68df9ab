import type { DiskFolder } from '../adapters/disk-folder';

/** A folder in memory with the interface of the browser's folder. */
export const memoryFolder = (files = new Map<string, Blob>()): DiskFolder => ({
  names: async () => [...files.keys()],
  file: async (name) => files.get(name),
  write: async (name, content) => void files.set(name, content),
  create: async (name) => {
    let bytes = new Uint8Array(0);
    return {
      write: async (position, piece) => {
        const longer = new Uint8Array(Math.max(bytes.length, position + piece.length));
        longer.set(bytes);
        longer.set(piece, position);
        bytes = longer;
      },
      commit: async () => void files.set(name, new Blob([bytes])),
      discard: async () => undefined,
    };
  },
  remove: async (name) => void files.delete(name),
});
