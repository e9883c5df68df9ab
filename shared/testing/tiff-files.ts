import { concatBytes, joinBytes } from './image-bytes';

/** Builds TIFF files whose directories say whatever a test wants. */

const little = (value: number, bytes: 2 | 4): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);

export const TIFF_TYPE = { byte: 1, short: 3, long: 4 } as const;

/** @param value the number itself, or the offset of several */
export type TiffEntry = readonly [tag: number, type: number, count: number, value: number];

/** @param next offset of the next directory; 0: there is none */
export const tiffDirectory = (entries: readonly TiffEntry[], next = 0): Uint8Array =>
  concatBytes(
    little(entries.length, 2),
    joinBytes(
      entries.map(([tag, type, count, value]) => [
        ...little(tag, 2),
        ...little(type, 2),
        ...little(count, 4),
        ...little(value, 4),
      ]),
    ),
    little(next, 4),
  );

export const TIFF_HEADER_BYTES = 8;
export const TIFF_START: readonly number[] = [0x49, 0x49, 42, 0, ...little(TIFF_HEADER_BYTES, 4)];

/** Directories that follow each other, and other bytes behind them. */
export const tiffFile = (
  directories: readonly (readonly TiffEntry[])[],
  ...behind: readonly Iterable<number>[]
): Uint8Array => {
  let at = TIFF_HEADER_BYTES;
  const written = directories.map((entries, index) => {
    at += 2 + 12 * entries.length + 4;
    return tiffDirectory(entries, index + 1 < directories.length ? at : 0);
  });
  return concatBytes(TIFF_START, joinBytes(written), ...behind);
};

/** A grey page of 8 bits, sorted by tags; later entries replace the first ones. */
export const tiffPage = (
  width: number,
  height: number,
  ...more: readonly TiffEntry[]
): readonly TiffEntry[] => {
  const entries: readonly TiffEntry[] = [
    [256, TIFF_TYPE.long, 1, width],
    [257, TIFF_TYPE.long, 1, height],
    [258, TIFF_TYPE.short, 1, 8],
    [262, TIFF_TYPE.short, 1, 1],
    [273, TIFF_TYPE.long, 1, TIFF_HEADER_BYTES],
    [279, TIFF_TYPE.long, 1, 1],
    ...more,
  ];
  return [...new Map(entries.map((entry) => [entry[0], entry])).values()].sort(([a], [b]) => a - b);
};
