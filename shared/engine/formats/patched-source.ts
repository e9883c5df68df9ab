import type { ByteSource } from '../../ports/video';

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
