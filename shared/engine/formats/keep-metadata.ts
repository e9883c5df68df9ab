import type { FileRange } from '../../domain/image-header';
import type { ImageFormat } from '../../ports/engine';
import { crc32 } from './bytes';
import { bytesAt } from './header-reader';
import {
  EXIF_POINTER,
  exifEntries,
  firstDirectory,
  GPS_POINTER,
  openExif,
  fieldAt,
  ENTRY_BYTES,
  INLINE_BYTES,
  HEADER_BYTES,
  type ExifBlock,
} from './exif';

const EXIF_VERSION = 0x9000;

/**
 * Types that are kept. Not 7, `UNDEFINED`, whose content is unknown: maker notes contain previews of the image.
 */
const KEPT_TYPES = [1, 2, 3, 4, 5, 9, 10];
const ASCII_TYPE = 2;
const LONG_TYPE = 4;
const UNDEFINED_TYPE = 7;
/** Longer than any camera's texts in these fields, and too short for an image. */
const MAX_TEXT_BYTES = 128;
/** Four rational numbers, as for the specification of a lens. */
const MAX_NUMBERS_BYTES = 32;

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Make, model, date. Not the orientation, because pixels are upright, and no texts by users, which may name persons.
 */
const CAMERA_TAGS = new Set([0x010f, 0x0110, 0x0132]);
const FIRST_TAGS = new Set([...CAMERA_TAGS, EXIF_POINTER, GPS_POINTER]);
/** Exposure and lens. No notes, serial numbers, owners or subject locations. */
const EXPOSURE_TAGS = new Set([
  ...[0x829a, 0x829d, 0x8822, 0x8827, 0x8830],
  ...[0x9003, 0x9004, 0x9010, 0x9011, 0x9012],
  ...range(0x9201, 0x920a),
  ...[0x9290, 0x9291, 0x9292],
  ...range(0xa402, 0xa406),
  ...[0xa432, 0xa433, 0xa434],
]);
/** All tags except free texts (processing method, name of the area). */
const GPS_TAGS = new Set([...range(0x00, 0x1a), 0x1d, 0x1e, 0x1f]);

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** In the byte order of the file. */
  readonly value: Uint8Array;
}
const isPlainText = (value: Uint8Array): boolean =>
  value.every((byte, at) => (byte >= 0x20 && byte < 0x7f) || (byte === 0 && at > 0));

/** @returns undefined if the value must not be kept */
const readEntry = (tiff: ExifBlock, at: number): Entry | undefined => {
  const { type = 0, count = 0, start = 0, byteLength = 0 } = fieldAt(tiff, at) ?? {};
  const maxBytes = type === ASCII_TYPE ? MAX_TEXT_BYTES : MAX_NUMBERS_BYTES;
  if (!KEPT_TYPES.includes(type) || byteLength > maxBytes) return undefined;
  const { view, littleEndian } = tiff;
  const value = new Uint8Array(view.buffer, view.byteOffset + start, byteLength);
  if (type === ASCII_TYPE && !isPlainText(value)) return undefined;
  return { tag: view.getUint16(at, littleEndian), type, count, value };
};

/** The first entry of each kept tag, sorted by tag; entries after an invalid offset are left out. */
const readIfd = (tiff: ExifBlock, at: number, kept: ReadonlySet<number>): Entry[] => {
  const { view, littleEndian } = tiff;
  const entries = new Map<number, Entry>();
  try {
    for (const entryAt of exifEntries(tiff, at)) {
      const tag = view.getUint16(entryAt, littleEndian);
      if (!kept.has(tag) || entries.has(tag)) continue;
      const entry = readEntry(tiff, entryAt);
      if (entry) entries.set(tag, entry);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return [...entries.values()].sort((a, b) => a.tag - b.tag);
};

const ifdBytes = (entries: readonly Entry[]): number => 2 + ENTRY_BYTES * entries.length + 4;
const outsideBytes = ({ value }: Entry): number => (value.length > INLINE_BYTES ? value.length : 0);
/** Values are stored after their IFD, at even offsets. */
const even = (bytes: number): number => bytes + (bytes % 2);
const blockBytes = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + even(outsideBytes(entry)), ifdBytes(entries));

const writeIfd = ({ view, littleEndian }: ExifBlock, at: number, entries: readonly Entry[]): void => {
  const bytes = new Uint8Array(view.buffer);
  view.setUint16(at, entries.length, littleEndian);
  let outsideAt = at + ifdBytes(entries);
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const entryAt = at + 2 + index * ENTRY_BYTES;
    view.setUint16(entryAt, tag, littleEndian);
    view.setUint16(entryAt + 2, type, littleEndian);
    view.setUint32(entryAt + 4, count, littleEndian);
    const isInline = value.length <= INLINE_BYTES;
    if (!isInline) view.setUint32(entryAt + 8, outsideAt, littleEndian);
    bytes.set(value, isInline ? entryAt + 8 : outsideAt);
    if (!isInline) outsideAt += even(value.length);
  }
};

const pointer = (tag: number, offset: number, littleEndian: boolean): Entry => {
  const value = new Uint8Array(4);
  new DataView(value.buffer).setUint32(0, offset, littleEndian);
  return { tag, type: LONG_TYPE, count: 1, value };
};

/** A new TIFF structure with only these entries. */
const writeTiff = (
  camera: readonly Entry[],
  exposure: readonly Entry[],
  gps: readonly Entry[],
  littleEndian: boolean,
): Uint8Array => {
  const linked = [
    { tag: EXIF_POINTER, entries: exposure },
    { tag: GPS_POINTER, entries: gps },
  ].filter(({ entries }) => entries.length > 0);
  const withoutOffsets = [...camera, ...linked.map(({ tag }) => pointer(tag, 0, littleEndian))];
  let end = HEADER_BYTES + blockBytes(withoutOffsets);
  const placed = linked.map((ifd) => {
    const at = end;
    end += blockBytes(ifd.entries);
    return { ...ifd, at };
  });
  const bytes = new Uint8Array(end);
  const tiff = { view: new DataView(bytes.buffer), littleEndian };
  tiff.view.setUint16(0, littleEndian ? 0x4949 : 0x4d4d);
  tiff.view.setUint16(2, 42, littleEndian);
  tiff.view.setUint32(4, HEADER_BYTES, littleEndian);
  writeIfd(tiff, HEADER_BYTES, [...camera, ...placed.map(({ tag, at }) => pointer(tag, at, littleEndian))]);
  for (const { at, entries } of placed) writeIfd(tiff, at, entries);
  return bytes;
};

const VERSION: Entry = {
  tag: EXIF_VERSION,
  type: UNDEFINED_TYPE,
  count: 4,
  value: Uint8Array.from('0232', (digit) => digit.charCodeAt(0)),
};

/**
 * Selects the EXIF fields that `--keep-metadata` keeps: camera, exposure, date and place.
 *
 * A new structure is written from a list of allowed fields. Removing fields from the old one would not be safe:
 * thumbnails, maker notes, comments and unused bytes may show the image or name persons.
 *
 * @param exif a TIFF structure, without the `Exif\0\0` that JPEG puts before it
 * @returns undefined if no field is kept
 * @see CIPA DC-008 (Exif 2.32)
 */
export const keptExif = (exif: Uint8Array): Uint8Array | undefined => {
  const tiff = openExif(exif);
  if (!tiff) return undefined;
  const { littleEndian } = tiff;
  const first = firstDirectory(tiff);
  const fields = readIfd(tiff, first, FIRST_TAGS);
  const seen = new Set([first]);
  const linked = (tag: number, kept: ReadonlySet<number>): Entry[] => {
    const link = fields.find((field) => field.tag === tag);
    if (link?.type !== LONG_TYPE || link.count !== 1) return [];
    const { buffer, byteOffset } = link.value;
    const at = new DataView(buffer, byteOffset).getUint32(0, littleEndian);
    if (seen.has(at)) return [];
    seen.add(at);
    return readIfd(tiff, at, kept);
  };
  const camera = fields.filter(({ tag }) => CAMERA_TAGS.has(tag));
  const taken = linked(EXIF_POINTER, EXPOSURE_TAGS);
  const gps = linked(GPS_POINTER, GPS_TAGS);
  if (camera.length + taken.length + gps.length === 0) return undefined;
  const exposure = taken.length === 0 ? [] : [...taken, VERSION].sort((a, b) => a.tag - b.tag);
  return writeTiff(camera, exposure, gps, littleEndian);
};

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (each) => each.charCodeAt(0));

const insert = (file: Uint8Array, at: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, file.length));
  let end = 0;
  for (const part of [file.subarray(0, at), ...parts, file.subarray(at)]) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
};

const bigEndian = (value: number, bytes: 2 | 4): Uint8Array => {
  const array = new Uint8Array(bytes);
  const view = new DataView(array.buffer);
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return array;
};

const SOI_BYTES = 2;
const APP1 = Uint8Array.of(0xff, 0xe1);
const JPEG_PREFIX = text('Exif\0\0');

const insertIntoJpeg = (file: Uint8Array, exif: Uint8Array): Uint8Array => {
  const length = bigEndian(2 + JPEG_PREFIX.length + exif.length, 2);
  return insert(file, SOI_BYTES, APP1, length, JPEG_PREFIX, exif);
};

/** Signature and `IHDR`, which must be the first chunk. */
const PNG_HEAD_BYTES = 8 + 25;

const insertIntoPng = (file: Uint8Array, exif: Uint8Array): Uint8Array => {
  const checked = insert(exif, 0, text('eXIf'));
  return insert(file, PNG_HEAD_BYTES, bigEndian(exif.length, 4), checked, bigEndian(crc32(checked), 4));
};

const INSERT = {
  jpeg: insertIntoJpeg,
  png: insertIntoPng,
} as const satisfies Record<ImageFormat, (file: Uint8Array, exif: Uint8Array) => Uint8Array>;

/** An image whose metadata is kept. */
export interface MetadataSource {
  readonly bytes: Uint8Array;
  /** See `ImageHeader`. */
  readonly exif?: readonly FileRange[] | undefined;
}

/**
 * Copies the source's camera, exposure, date and GPS fields into the result; {@link keptExif} lists the fields.
 *
 * @param result the encoded result, without metadata
 */
export const keepMetadata = (
  { bytes, exif = [] }: MetadataSource,
  result: { readonly bytes: Uint8Array; readonly format: ImageFormat },
): Uint8Array => {
  const kept = keptExif(bytesAt(bytes, exif));
  return kept ? INSERT[result.format](result.bytes, kept) : result.bytes;
};
