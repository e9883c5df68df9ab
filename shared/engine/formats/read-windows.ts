import type { ByteSource } from '../../ports/video';

/** Bytes that are read in windows. */
export interface Windows extends ByteSource {
  /** The bytes, if they are in the window. */
  readonly peek: (start: number, end: number) => Uint8Array | undefined;
}

/**
 * The same bytes, read in windows: small structures next to one another cost one read.
 *
 * @param windowBytes that are read at a time; longer reads are passed on
 */
export const readWindows = (source: ByteSource, windowBytes: number): Windows => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  const peek = (start: number, end: number): Uint8Array | undefined =>
    start < windowAt || end > windowAt + window.byteLength
      ? undefined
      : window.subarray(start - windowAt, end - windowAt);
  return {
    sizeBytes: source.sizeBytes,
    peek,
    read: async (start, end) => {
      if (end - start > windowBytes) return source.read(start, end);
      const known = peek(start, end);
      if (known) return known;
      window = await source.read(start, Math.min(start + windowBytes, source.sizeBytes));
      windowAt = start;
      return window.subarray(0, end - start);
    },
  };
};
