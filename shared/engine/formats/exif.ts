import type { MetadataKind } from '../../domain/image-header';
import { viewOf } from './bytes';

export const ENTRY_BYTES = 12;
export const HEADER_BYTES = 8;
export const INLINE_BYTES = 4;
/** Fields of one directory; cameras write about 60, and later ones are ignored. */
const MAX_FIELDS = 4_096;
const TIFF_MAGIC = 42;
const SHORT_TYPE = 3;

export const EXIF_PREFIX = 'Exif\0\0';
/** Tags of the first directory whose values are the offsets of the Exif and GPS directories. */
export const EXIF_POINTER = 0x8769;
export const GPS_POINTER = 0x8825;
const ORIENTATION = 0x0112;
const MAKER_NOTE = 0x927c;
const CAPTURE_TIME = 0x9003;

/** A TIFF structure: offsets count from its beginning. */
export interface ExifBlock {
  readonly view: DataView;
  readonly littleEndian: boolean;
}

/** @returns undefined where it is none */
export const openExif = (exif: Uint8Array): ExifBlock | undefined => {
  if (exif.length < HEADER_BYTES) return undefined;
  const view = viewOf(exif);
  const byteOrder = view.getUint16(0);
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return undefined;
  return { view, littleEndian: byteOrder === 0x4949 };
};

/** @throws RangeError where it is cut off */
export const firstDirectory = ({ view, littleEndian }: ExifBlock): number => view.getUint32(4, littleEndian);

/**
 * The offsets of a directory's entries, one after another; some may lie behind the end.
 *
 * @throws RangeError where the directory does
 */
export function* exifEntries({ view, littleEndian }: ExifBlock, at: number): Generator<number> {
  const count = Math.min(view.getUint16(at, littleEndian), MAX_FIELDS);
  for (let index = 0; index < count; index += 1) yield at + 2 + index * ENTRY_BYTES;
}

/** Bytes of one value, by type: BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, …, IFD. */
export const VALUE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
};

/** Where an entry's values lie. */
export interface ExifField {
  readonly type: number;
  readonly count: number;
  readonly start: number;
  readonly byteLength: number;
}

/** @returns undefined for a field of an unknown type, or outside the structure: it is as good as absent */
export const fieldAt = ({ view, littleEndian }: ExifBlock, entry: number): ExifField | undefined => {
  const type = view.getUint16(entry + 2, littleEndian);
  const count = view.getUint32(entry + 4, littleEndian);
  const byteLength = (VALUE_BYTES[type] ?? 0) * count;
  const start = byteLength <= INLINE_BYTES ? entry + 8 : view.getUint32(entry + 8, littleEndian);
  if (byteLength === 0 || start + byteLength > view.byteLength) return undefined;
  return { type, count, start, byteLength };
};

/** Finds the first entry of each wanted tag. @returns the offset of the next directory @throws RangeError */
const findEntries = (
  tiff: ExifBlock,
  at: number,
  wanted: readonly number[],
  found: Map<number, number>,
): number => {
  const { view, littleEndian } = tiff;
  for (const entry of exifEntries(tiff, at)) {
    const tag = view.getUint16(entry, littleEndian);
    if (wanted.includes(tag) && !found.has(tag)) found.set(tag, entry);
  }
  return view.getUint32(at + 2 + view.getUint16(at, littleEndian) * ENTRY_BYTES, littleEndian);
};

/** Reads as far as the structure goes: offsets may point outside of it. */
const asFarAsItGoes = (read: () => void): void => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
};

/**
 * Reads the orientation by which an image is rotated and mirrored to stand upright, and notes what else is there.
 *
 * Invalid EXIF is no reason to refuse an image: viewers show it as stored, and so does Veil.
 *
 * @param exif a TIFF structure, without the prefix that JPEG puts before it
 * @returns 1..8; 1 if absent or invalid
 * @see CIPA DC-008 (Exif 2.32), 4.6.4, tag 274
 */
export const readExif = (exif: Uint8Array, note: (kind: MetadataKind) => void): number => {
  note('exif');
  const tiff = openExif(exif);
  if (!tiff) return 1;
  const { view, littleEndian } = tiff;
  const found = new Map<number, number>();
  asFarAsItGoes(() => {
    const next = findEntries(tiff, firstDirectory(tiff), [ORIENTATION, EXIF_POINTER, GPS_POINTER], found);
    if (found.has(GPS_POINTER)) note('place');
    if (next !== 0) note('thumbnail');
    const pointer = found.get(EXIF_POINTER);
    if (pointer === undefined) return;
    const linked = new Map<number, number>();
    findEntries(tiff, view.getUint32(pointer + 8, littleEndian), [MAKER_NOTE, CAPTURE_TIME], linked);
    if (linked.has(MAKER_NOTE)) note('maker-notes');
    if (linked.has(CAPTURE_TIME)) note('capture-time');
  });
  let orientation = 1;
  asFarAsItGoes(() => {
    const entry = found.get(ORIENTATION);
    if (entry === undefined || view.getUint16(2, littleEndian) !== TIFF_MAGIC) return;
    const isNumber = view.getUint16(entry + 2, littleEndian) === SHORT_TYPE;
    const value = isNumber ? view.getUint16(entry + 8, littleEndian) : 1;
    if (value >= 1 && value <= 8) orientation = value;
  });
  return orientation;
};
