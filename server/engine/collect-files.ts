import type { OfferedSink } from './served-process';

/** Encoded results are much smaller: 178 megapixels of noise have 700 MB as PNG. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** Files that arrive in pieces. */
export interface CollectedFiles extends OfferedSink {
  /** @returns undefined if nothing was written */
  find(name: string): Uint8Array | undefined;
  /** @throws if nothing was written */
  get(name: string): Uint8Array;
}

/**
 * Collects the encoded files of a result in memory.
 *
 * @param names of the files that may come
 */
export const collectFiles = (names: readonly string[]): CollectedFiles => {
  const files = new Map<string, { readonly pieces: Uint8Array[]; sizeBytes: number }>();
  const find = (name: string): Uint8Array | undefined => {
    const file = files.get(name);
    return file && Buffer.concat(file.pieces, file.sizeBytes);
  };
  return {
    write: async (name, position, bytes) => {
      const file = files.get(name) ?? { pieces: [], sizeBytes: 0 };
      const isNext = names.includes(name) && bytes instanceof Uint8Array && position === file.sizeBytes;
      if (!isNext || position + bytes.byteLength > MAX_FILE_BYTES) {
        throw new Error('The engine process wrote a result that was not asked for.');
      }
      files.set(name, file);
      file.pieces.push(bytes);
      file.sizeBytes += bytes.byteLength;
    },
    find,
    get: (name) => {
      const file = find(name);
      if (!file) throw new Error(`The engine process has not written the file ${name}.`);
      return file;
    },
  };
};
