import type { ByteSource } from '../../ports/video';

/**
 * The same bytes, read in windows: small structures next to one another cost one read.
 *
 * @param windowBytes that are read at a time; longer reads are passed on
 */
export const readWindows = (source: ByteSource, windowBytes: number): ByteSource => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  return {
    sizeBytes: source.sizeBytes,
    read: async (start, end) => {
      if (end - start > windowBytes) return source.read(start, end);
      if (start < windowAt || end > windowAt + window.byteLength) {
        window = await source.read(start, Math.min(start + windowBytes, source.sizeBytes));
        windowAt = start;
      }
      return window.subarray(start - windowAt, end - windowAt);
    },
  };
};
