import type { ByteSource } from '../../ports/video';

/**
 * The same bytes, read in windows: small structures next to one another cost one read.
 *
 * @param windowBytes that are read at a time; longer reads are passed on
 */
export const readWindows = (source: ByteSource, windowBytes: number) => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  /** The bytes, if they are in the window. */
  const peek = (start: number, end: number): Uint8Array | undefined =>
    start < windowAt || end > windowAt + window.byteLength
      ? undefined
      : window.subarray(start - windowAt, end - windowAt);
  return {
    sizeBytes: source.sizeBytes,
    peek,
    read: async (start: number, end: number): Promise<Uint8Array> => {
      if (end - start > windowBytes) return source.read(start, end);
      const known = peek(start, end);
      if (known) return known;
      window = await source.read(start, Math.min(start + windowBytes, source.sizeBytes));
      windowAt = start;
      return window.subarray(0, end - start);
    },
  };
};

/** Bytes that replace those of the file when it is read. */
export interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The first bytes of a file, with some of them replaced. */
export const withPatches = (
  source: ByteSource,
  sizeBytes: number,
  patches: readonly Patch[],
): ByteSource => ({
  sizeBytes,
  read: async (start, end) => {
    const read = await source.read(start, end);
    const touched = patches.filter(({ at, bytes }) => at < end && at + bytes.byteLength > start);
    if (touched.length === 0) return read;
    const copy = read.slice();
    for (const { at, bytes } of touched) {
      for (const [index, byte] of bytes.entries()) {
        if (at + index >= start && at + index < end) copy[at + index - start] = byte;
      }
    }
    return copy;
  },
});
