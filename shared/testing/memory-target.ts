import type { ByteSource, ByteTarget } from '../ports/video';

/** A file in memory that is being written. */
export const createMemoryTarget = (): ByteTarget & { bytes(): Uint8Array } => {
  let bytes = new Uint8Array(0);
  return {
    bytes: () => bytes.slice(),
    write: async (position, piece) => {
      const grown = new Uint8Array(Math.max(bytes.length, position + piece.length));
      grown.set(bytes);
      grown.set(piece, position);
      bytes = grown;
    },
  };
};

/** A file in memory. */
export const memorySource = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.length,
  read: async (start, end) => {
    if (end > bytes.length) throw new RangeError('The file ends before the requested bytes.');
    return bytes.slice(start, end);
  },
});
