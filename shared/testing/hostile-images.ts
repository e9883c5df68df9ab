import {
  big,
  heifAssociation,
  heifBox,
  heifFile,
  heifItem,
  heifLocation,
  heifLocations,
  heifReference,
} from './heif-files';
import { concatBytes, JPEG_END, JPEG_SCAN, JPEG_START, jpegFrame, pngChunk, pngFile } from './image-bytes';
import { TIFF_TYPE, tiffFile, tiffPage, type TiffEntry } from './tiff-files';

const TOO_MANY = /^The (HEIC|TIFF|JPEG|PNG|GIF|WebP) file claims more parts than an image has\.$/;
const CORRUPT = /^The (HEIC|TIFF) file is damaged: its header is corrupt\.$/;
const { byte, long } = TIFF_TYPE;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

const ITEM_AND_NO_SIZE = (id: number): number[] => [...big(id, 2), 0, 0, 0xff, 0xff];
/** Directories of one chain that each claim all bytes behind them. */
const overlapping = (directories: number): Uint8Array => {
  const bytes = new Uint8Array(18 * directories + 12 * 4_000);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const fields = 1_500;
  for (let index = 0; index < directories; index += 1) {
    const at = 8 + 18 * index;
    view.setUint16(at, fields, true);
    // Where the pointer to the next directory lies in this one, it also is a field of others.
    const pointerAt = at + 2 + 12 * fields;
    if (pointerAt + 4 <= bytes.length) view.setUint32(pointerAt, at + 18, true);
  }
  return bytes;
};
/** Directories of six fields whose subfile types each claim the whole file. */
const greedyPages = (count: number): Uint8Array => {
  const bytes = 8 + count * (2 + 12 * 7 + 4);
  return tiffFile(times(count, () => tiffPage(1, 1, [254, byte, bytes - 8, 8])));
};

/** Small files whose headers claim very much, and the sentences with which they are refused. */
export const HOSTILE_IMAGES: readonly (readonly [name: string, bytes: Uint8Array, sentence: RegExp])[] = [
  [
    'HEIC items of 65,535 extents without a size',
    heifFile({ locations: heifLocations(times(3_000, ITEM_AND_NO_SIZE), 0) }),
    CORRUPT,
  ],
  [
    'HEIC extents without end',
    heifFile({
      locations: heifLocations([
        heifLocation(
          1,
          times(65_535, () => [0, 1]),
        ),
      ]),
    }),
    TOO_MANY,
  ],
  [
    'HEIC parts that name the same extents again and again',
    heifFile({
      items: [heifItem(1, 'grid'), ...times(100, (index) => heifItem(index + 2, 'hvc1'))],
      references: [
        heifReference(
          'dimg',
          1,
          times(100, (index) => index + 2),
        ),
      ],
      locations: heifLocations(
        times(101, (index) =>
          heifLocation(
            index + 1,
            times(700, () => [0, 10]),
          ),
        ),
      ),
    }),
    TOO_MANY,
  ],
  [
    'HEIC properties of one item, listed again and again',
    heifFile({
      associations: times(300, () =>
        heifAssociation(
          1,
          times(255, () => 1),
        ),
      ),
    }),
    TOO_MANY,
  ],
  ['HEIC boxes without end', heifFile({ before: times(70_000, () => heifBox('free')) }), TOO_MANY],
  ['HEIC boxes next to the items', heifFile({ inside: times(70_000, () => heifBox('free')) }), TOO_MANY],
  [
    'HEIC items without end',
    heifFile({ items: times(70_000, (id) => heifItem(id % 65_536, 'hvc1')) }),
    TOO_MANY,
  ],
  [
    'HEIC references without end',
    heifFile({
      references: times(300, (from) =>
        heifReference(
          'auxl',
          from,
          times(255, () => 1),
        ),
      ),
    }),
    TOO_MANY,
  ],
  ['2,000 TIFF directories that each claim the whole file', overlapping(2_000), TOO_MANY],
  ['20,000 TIFF directories that each claim the whole file', overlapping(20_000), TOO_MANY],
  ['TIFF pages without end', greedyPages(10_000), TOO_MANY],
  [
    'TIFF tiles of one pixel',
    tiffFile(
      [
        tiffPage(
          1_000,
          1_000,
          ...([
            [322, long, 1, 1],
            [323, long, 1, 1],
            [324, byte, 1_000_000, 8],
            [325, byte, 1_000_000, 8],
          ] satisfies TiffEntry[]),
        ),
        // As many bytes as there are tiles.
      ],
      new Uint8Array(1_000_000),
    ),
    CORRUPT,
  ],
  [
    'TIFF strips that each are the whole file',
    tiffFile(
      [
        tiffPage(
          1,
          60_000,
          [259, 3, 1, 8],
          [273, byte, 60_000, 200],
          [278, long, 1, 1],
          [279, long, 60_000, 60_200],
        ),
      ],
      new Uint8Array(60_200 - 8 - 6 - 12 * 8),
      times(60_000, () => [0, 0, 3, 0]).flat(),
    ),
    CORRUPT,
  ],
  [
    'TIFF strips of one row that each are a JPEG file',
    tiffFile([tiffPage(1, 1_000, [259, 3, 1, 7], [278, long, 1, 1])], new Uint8Array(1_000)),
    /^This TIFF file is coded in a way that is not supported/,
  ],
  [
    'JPEG segments without end',
    concatBytes(
      JPEG_START,
      times(20_000, () => [0xff, 0xe5, 0, 2]).flat(),
      jpegFrame(1, 1),
      JPEG_SCAN,
      JPEG_END,
    ),
    TOO_MANY,
  ],
  ['PNG chunks without end', pngFile(1, 1, concatBytes(...times(70_000, () => pngChunk('teXt')))), TOO_MANY],
  [
    'GIF blocks without end',
    concatBytes(ascii('GIF89a'), [1, 0, 1, 0, 0, 0, 0], times(70_000, () => [0x21, 0xfe, 0]).flat()),
    TOO_MANY,
  ],
  [
    'WebP chunks without end',
    concatBytes(
      ascii('RIFF'),
      times(4, (index) => ((4 + 70_000 * 8) >> (8 * index)) & 255),
      ascii('WEBP'),
      times(70_000, () => [...ascii('JUNK'), 0, 0, 0, 0]).flat(),
    ),
    TOO_MANY,
  ],
];
