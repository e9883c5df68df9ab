import { describe, expect, it } from 'vitest';
import { countReads } from '../../testing/count-reads';
import {
  big,
  heifAssociation,
  heifFile,
  heifItem,
  heifLocation,
  heifLocations,
  heifReference,
} from '../../testing/heif-files';
import {
  concatBytes,
  exifBytes,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  jpegExif,
  jpegFrame,
  jpegSegment,
  pngChunk,
  pngFile,
} from '../../testing/image-bytes';
import { HOSTILE_IMAGES } from '../../testing/hostile-images';
import { refusal, sniff } from '../../testing/sniffed-files';
import { TIFF_TYPE, tiffFile, tiffPage, type TiffEntry } from '../../testing/tiff-files';
import { findMetadata } from './read-header';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const { byte, long } = TIFF_TYPE;

describe('a hostile file', () => {
  it.each(HOSTILE_IMAGES)('is refused: %s', async (_, bytes, sentence) => {
    expect(await refusal(bytes)).toMatch(sentence);
  });

  it.each(HOSTILE_IMAGES)('costs as many steps as it has bytes: %s', async (_, bytes) => {
    expect(await countReads(() => refusal(bytes))).toBeLessThan(2 * bytes.length);
    expect(await countReads(() => findMetadata(bytes))).toBeLessThan(2 * bytes.length);
  });
});

describe('a large file as cameras, scanners and editors write it', () => {
  it('may be a JPEG of many segments of 64 kB', async () => {
    const segment = jpegSegment(0xe2, new Uint8Array(65_533));
    const file = concatBytes(
      JPEG_START,
      jpegExif(exifBytes(6)),
      ...times(500, () => segment),
      jpegFrame(9, 9),
      JPEG_SCAN,
      JPEG_END,
    );
    expect(await sniff(file)).toMatchObject({ width: 9, orientation: 6 });
  });

  it('may be a PNG of many small chunks of pixels', async () => {
    const file = pngFile(9, 9, concatBytes(...times(30_000, () => pngChunk('IDAT', [1]))));
    expect(await sniff(file)).toMatchObject({ width: 9 });
  });

  it('may be a HEIC of 1,000 tiles, each with properties of its own', async () => {
    const ids = times(1_000, (index) => index + 2);
    const file = heifFile({
      items: [heifItem(1, 'grid'), ...ids.map((id) => heifItem(id, 'hvc1'))],
      references: [heifReference('dimg', 1, ids)],
      // The grid's description is at the end: version, flags, rows, columns, size.
      locations: heifLocations(
        [1, ...ids].map((id) => heifLocation(id, [[id === 1 ? 24 : 0, id === 1 ? 8 : 100]])),
      ),
      before: [Uint8Array.from([0, 0, 0, 16, ...ascii('free'), 0, 0, 24, 39, ...big(64, 2), ...big(48, 2)])],
      associations: [1, ...ids].map((id) => heifAssociation(id, [1, 1, 1, 1])),
    });
    // In the box of the file's type and brands, the first 24 bytes; the description is behind the next box's header.
    new DataView(file.buffer).setUint32(String.fromCharCode(...file).indexOf('iloc') + 4 + 8 + 6, 32);
    expect(await sniff(file)).toMatchObject({ format: 'heic', width: 64, height: 48 });
  });

  it('may be a TIFF with smaller copies of its page', async () => {
    const copies = times(60, () => tiffPage(1, 1, [254, long, 1, 1]));
    expect(await sniff(tiffFile([tiffPage(1, 1), ...copies], [0]))).toMatchObject({ format: 'tiff' });
  });

  it('may be a TIFF of 65,535 strips, which are read one by one', async () => {
    const rows = 65_535;
    const tables = [
      [273, byte, rows, 200] as const,
      [278, long, 1, 1] as const,
      [279, byte, rows, 200] as const,
    ];
    const file = tiffFile([tiffPage(1, rows, ...tables)], new Uint8Array(rows + 200).fill(1));
    expect(await sniff(file)).toMatchObject({ height: rows });
    expect(await countReads(() => sniff(file))).toBeLessThan(3 * rows);
  });

  it('of 1,000 TIFF pages is refused with their number', async () => {
    const pages = times(1_000, () => tiffPage(1, 1));
    expect(await refusal(tiffFile(pages, [0]))).toBe(
      'This TIFF has 1000 pages; only files of one page are supported.',
    );
  });
});

it('fields of a large EXIF directory are found up to the limit', async () => {
  const entries: TiffEntry[] = times(4_095, (index) => [1_000 + index, long, 1, 0]);
  const exif = (...first: TiffEntry[]): Uint8Array => tiffFile([[...first, ...entries, [0x0112, 3, 1, 6]]]);
  expect((await sniff(pngFile(2, 1, pngChunk('eXIf', exif())))).orientation).toBe(6);
  expect((await sniff(pngFile(2, 1, pngChunk('eXIf', exif([999, long, 1, 0]))))).orientation).toBe(1);
});
