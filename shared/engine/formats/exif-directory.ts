import { MAX_STRUCTURES } from './structure-limits';

const ENTRY_BYTES = 12;
const HEADER_BYTES = 8;

/** A TIFF structure: offsets count from its beginning. */
export interface ExifBlock {
  readonly view: DataView;
  readonly littleEndian: boolean;
}

/** @returns undefined where it is none */
export const openExif = (exif: Uint8Array): ExifBlock | undefined => {
  if (exif.length < HEADER_BYTES) return undefined;
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  const byteOrder = view.getUint16(0);
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) return undefined;
  return { view, littleEndian: byteOrder === 0x4949 };
};

/** @throws RangeError where it is cut off */
export const firstDirectory = ({ view, littleEndian }: ExifBlock): number => view.getUint32(4, littleEndian);

/** The offset of the next directory; 0: there is none. @throws RangeError where it is cut off */
export const nextDirectory = ({ view, littleEndian }: ExifBlock, at: number): number =>
  view.getUint32(at + 2 + view.getUint16(at, littleEndian) * ENTRY_BYTES, littleEndian);

/**
 * The offsets of a directory's entries, one after another; some may lie behind the end.
 *
 * @throws RangeError where the directory does
 */
export function* exifEntries({ view, littleEndian }: ExifBlock, at: number): Generator<number> {
  const count = Math.min(view.getUint16(at, littleEndian), MAX_STRUCTURES.exif);
  for (let index = 0; index < count; index += 1) yield at + 2 + index * ENTRY_BYTES;
}
