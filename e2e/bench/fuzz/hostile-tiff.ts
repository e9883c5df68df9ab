import { deflateSync } from 'node:zlib';
import { concatBytes, jpegFile } from '#shared/testing/image-bytes';
import {
  TIFF_START,
  TIFF_TYPE,
  tiffDirectory,
  tiffFile,
  tiffPage,
  type TiffEntry,
} from '#shared/testing/tiff-files';
import { countOf, limitOf, pickOf, repeated, times, type HostileFiles } from './structure-values';

const { byte, short, long } = TIFF_TYPE;
const TYPES = [byte, short, long, 5, 7, 13];
const KNOWN_TAGS = [
  ...[254, 256, 257, 258, 259, 262, 273, 274, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325],
  ...[338, 339, 347, 34_665, 34_675, 34_853, 50_706],
];
const COMPRESSIONS = [1, 5, 7, 8, 32_773];

/** Directories at each `step` bytes, each of which claims `fields` fields, also those of the next ones. */
const overlapping = (count: number, fields: number, step: number): Uint8Array => {
  const bytes = new Uint8Array(Math.min(8 + step * count + 12 * fields + 6, 1024 ** 2));
  const view = new DataView(bytes.buffer);
  bytes.set(TIFF_START);
  for (let index = 0; index < count; index += 1) {
    const at = 8 + step * index;
    const pointerAt = at + 2 + 12 * fields;
    if (pointerAt + 4 > bytes.length) break;
    view.setUint16(at, fields, true);
    view.setUint32(pointerAt, at + step, true);
  }
  return bytes;
};

/** A page of strips or tiles, whose tables are any bytes of the file. */
const segmented = (
  next: () => number,
  width: number,
  height: number,
  more: readonly TiffEntry[],
): Uint8Array => {
  const bytes = countOf(next, 1);
  const type = pickOf([byte, short, long], next);
  const count = Math.floor(bytes / pickOf([1, 2, 4], next));
  const place = 512;
  const filling = pickOf(
    [new Uint8Array(bytes), repeated(bytes / 4, [0, 1, 0, 0]), deflateSync(new Uint8Array(bytes))],
    next,
  );
  return tiffFile(
    [
      tiffPage(
        width,
        height,
        [259, short, 1, pickOf(COMPRESSIONS, next)],
        [273, type, count, place],
        [279, type, count, place],
        [324, type, count, place],
        [325, type, count, place],
        ...more,
      ),
    ],
    new Uint8Array(place),
    filling,
  );
};

/** One strip or many that are all the same packed bytes. */
const packed = (next: () => number): Uint8Array => {
  const strips = countOf(next, 8, 2_000);
  const content = pickOf(
    [
      deflateSync(new Uint8Array(countOf(next, 1) * 20)),
      repeated(countOf(next, 2, 100_000), [129, 0]),
      repeated(countOf(next, 8, 10_000), [128, 0, 128, 0, 128, 0, 128, 0]),
      jpegFile(2_000, 8),
    ],
    next,
  );
  const place = 512;
  return tiffFile(
    [
      tiffPage(
        2_000,
        2_000,
        [259, short, 1, pickOf(COMPRESSIONS, next)],
        [273, long, strips, place],
        [278, long, 1, Math.ceil(2_000 / strips)],
        [279, long, strips, place + 4 * strips],
      ),
    ],
    new Uint8Array(place - 8 - 6 - 12 * 8),
    repeated(strips, [...new Uint8Array(new Uint32Array([place + 8 * strips]).buffer)]),
    repeated(strips, [...new Uint8Array(new Uint32Array([content.length]).buffer)]),
    content,
  );
};

/** Directories, fields, strips and tiles of TIFF files. */
export const HOSTILE_TIFF: HostileFiles = {
  'directories that overlap': (next) =>
    overlapping(
      countOf(next, 6, 40_000),
      pickOf([1, 100, 1_500, 4_095, 4_096], next),
      pickOf([6, 12, 18, 30], next),
    ),
  'directories in a circle': (next) => {
    const count = countOf(next, 100, 5_000);
    const bytes = tiffFile(times(count, () => tiffPage(1, 1)));
    new DataView(bytes.buffer).setUint32(bytes.length - 4, 8 + 78 * Math.floor(next() * count), true);
    return bytes;
  },
  'directories behind each other': (next) => {
    const pages = countOf(next, 90, 11_000);
    return tiffFile(
      times(pages, () => tiffPage(1, 1, [254, pickOf(TYPES, next), pickOf([1, 80 * pages], next), 1])),
    );
  },
  'directories of one field': (next) => {
    const count = countOf(next, 18);
    return concatBytes(
      TIFF_START,
      repeated(1, []),
      new Uint8Array(
        times(count, (index) => [
          ...tiffDirectory([[256, long, 1, 1]], index + 1 < count ? 26 + 18 * index : 0),
        ]).flat(),
      ),
    );
  },
  'fields of the whole file': (next) => {
    const bytes = countOf(next, 1);
    const type = pickOf(TYPES, next);
    const count = Math.floor(bytes / pickOf([1, 2, 4, 8], next));
    const greedy = times(
      1 + Math.floor(next() * 6),
      () => [pickOf(KNOWN_TAGS, next), type, count, 8] as const,
    );
    return tiffFile(
      [tiffPage(100, 100, ...greedy)],
      new Uint8Array(bytes).fill(pickOf([0, 1, 8, 255], next)),
    );
  },
  'fields at their limits': (next) =>
    tiffFile(
      [
        tiffPage(
          100,
          100,
          ...times(
            6,
            () => [pickOf(KNOWN_TAGS, next), pickOf(TYPES, next), limitOf(next), limitOf(next)] as const,
          ),
        ),
      ],
      [0],
    ),
  'the same field again and again': (next) =>
    tiffFile(
      [
        [
          ...tiffPage(1, 1),
          ...times(countOf(next, 12, 5_000), () => [pickOf(KNOWN_TAGS, next), long, 1, 1] as const),
        ],
      ],
      [0],
    ),
  'tiles of any size': (next) => {
    const side = pickOf([1, 2, 15, 16, 256, 4_096, 65_535], next);
    const other = pickOf([1, 16, 256, 65_535], next);
    return segmented(next, pickOf([1, 1_000, 2_000, 60_000], next), pickOf([1, 1_000, 2_000], next), [
      [322, long, 1, side],
      [323, long, 1, other],
    ]);
  },
  'strips of any height': (next) =>
    segmented(next, pickOf([1, 60, 2_000], next), pickOf([1, 2_000, 65_535], next), [
      [278, long, 1, pickOf([0, 1, 8, 2 ** 32 - 1], next)],
      [277, short, 1, pickOf([1, 2, 5], next)],
      [284, short, 1, pickOf([1, 2], next)],
    ]).subarray(0, 1024 ** 2),
  'strips of the same bytes': packed,
};
