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
import { CAMERA_TAGS, EXPOSURE_TAGS, GPS_TAGS, NAME_TAGS, TEXT_FORM } from './kept-fields';

const EXIF_VERSION = 0x9000;
const FIRST_TAGS = new Set([...CAMERA_TAGS, EXIF_POINTER, GPS_POINTER]);

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

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** In the byte order of the file. */
  readonly value: Uint8Array;
}
const isPlainText = (value: Uint8Array): boolean =>
  value.every((byte, at) => (byte >= 0x20 && byte < 0x7f) || (byte === 0 && at > 0));

const isKeptText = (tag: number, value: Uint8Array): boolean =>
  isPlainText(value) &&
  (NAME_TAGS.has(tag) || TEXT_FORM.test(String.fromCharCode(...value).replaceAll('\0', '')));

/** @returns undefined if the value must not be kept */
const readEntry = (tiff: ExifBlock, at: number): Entry | undefined => {
  const { type = 0, count = 0, start = 0, byteLength = 0 } = fieldAt(tiff, at) ?? {};
  const maxBytes = type === ASCII_TYPE ? MAX_TEXT_BYTES : MAX_NUMBERS_BYTES;
  if (!KEPT_TYPES.includes(type) || byteLength > maxBytes) return undefined;
  const { view, littleEndian } = tiff;
  const value = new Uint8Array(view.buffer, view.byteOffset + start, byteLength);
  const tag = view.getUint16(at, littleEndian);
  if (type === ASCII_TYPE && !isKeptText(tag, value)) return undefined;
  return { tag, type, count, value };
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
