import { corruptHeader, truncatedFile } from '../../../domain/failure';
import { countStructures, MAX_STRUCTURES, maxStructures, type CountStructures } from '../structure-limits';
import {
  type ExifBlock,
  type ExifField,
  HEADER_BYTES,
  openExif,
  ENTRY_BYTES,
  fieldAt,
  VALUE_BYTES,
} from '../exif';

const FORMAT = 'TIFF';
/** In one directory: more than any writer uses. */
const MAX_FIELDS = 4_096;
const NUMBER_TYPES: readonly number[] = [1, 3, 4, 13];

/** A file or an EXIF block: offsets count from its beginning. */
export interface TiffFile extends ExifBlock {
  readonly bytes: Uint8Array;
}

/** An image file directory of a file: fields by their tag. */
export interface TiffDirectory {
  readonly file: TiffFile;
  readonly fields: ReadonlyMap<number, ExifField>;
}

/** @throws UnreadableFile where it is none */
export const openTiff = (bytes: Uint8Array): TiffFile => {
  if (bytes.length < HEADER_BYTES) throw truncatedFile(FORMAT);
  const block = openExif(bytes);
  if (!block) throw corruptHeader(FORMAT);
  return { bytes, ...block };
};

interface DirectoryPlace {
  readonly at: number;
  readonly end: number;
  /** Offset of the next directory; 0: there is none. */
  readonly next: number;
}

const readPlace = ({ view, littleEndian }: TiffFile, at: number, count: CountStructures): DirectoryPlace => {
  if (at < HEADER_BYTES || at + 2 > view.byteLength) throw truncatedFile(FORMAT);
  const fields = view.getUint16(at, littleEndian);
  const end = at + 2 + fields * ENTRY_BYTES;
  if (fields === 0 || fields > MAX_FIELDS) throw corruptHeader(FORMAT);
  if (end > view.byteLength) throw truncatedFile(FORMAT);
  count(fields);
  // The last directory's pointer is missing in some files.
  const next = end + 4 <= view.byteLength ? view.getUint32(end, littleEndian) : 0;
  return { at: at + 2, end, next };
};

const readFields = (
  file: TiffFile,
  { at, end }: DirectoryPlace,
  wanted?: readonly number[],
): TiffDirectory => {
  const fields = new Map<number, ExifField>();
  for (let entryAt = at; entryAt < end; entryAt += ENTRY_BYTES) {
    const tag = file.view.getUint16(entryAt, file.littleEndian);
    if (fields.has(tag) || (wanted && !wanted.includes(tag))) continue;
    const field = fieldAt(file, entryAt);
    if (field) fields.set(tag, field);
  }
  return { file, fields };
};

/**
 * The directories of the file's chain, one after another: the first with all of its fields.
 *
 * @param wanted tags of the fields that the others are read with
 * @throws UnreadableFile where the chain is broken or a circle, or has more fields than there can be next to each other
 */
export function* readDirectories(file: TiffFile, wanted: readonly number[]): Generator<TiffDirectory> {
  const countDirectory = countStructures('tiff', MAX_STRUCTURES.tiffDirectories);
  // Directories that share their bytes would make much out of a small file.
  const count = countStructures('tiff', Math.min(maxStructures('tiff'), file.view.byteLength / ENTRY_BYTES));
  const seen = new Set<number>();
  let at = file.view.getUint32(4, file.littleEndian);
  do {
    if (seen.has(at)) throw corruptHeader(FORMAT);
    countDirectory();
    const place = readPlace(file, at, count);
    yield readFields(file, place, seen.size > 0 ? wanted : undefined);
    seen.add(at);
    at = place.next;
  } while (at !== 0);
}

/** Whole numbers of a field, which are read from the file when they are asked for. */
export interface TiffNumbers {
  readonly length: number;
  /** @returns undefined behind the last */
  at(index: number): number | undefined;
}

/** A field's whole numbers; undefined where it is absent, or not of whole numbers. */
export const numbersOf = ({ file, fields }: TiffDirectory, tag: number): TiffNumbers | undefined => {
  const { view, littleEndian } = file;
  const field = fields.get(tag);
  if (!field || !NUMBER_TYPES.includes(field.type)) return undefined;
  const { count, start } = field;
  const size = VALUE_BYTES[field.type] ?? 1;
  return {
    length: count,
    at: (index) => {
      if (index >= count) return undefined;
      const at = start + index * size;
      if (size === 1) return view.getUint8(at);
      return size === 2 ? view.getUint16(at, littleEndian) : view.getUint32(at, littleEndian);
    },
  };
};

/** A field's first number. */
export const numberOf = (directory: TiffDirectory, tag: number): number | undefined =>
  numbersOf(directory, tag)?.at(0);

/** A field's bytes as they are; undefined where it is absent. */
export const bytesOf = ({ file, fields }: TiffDirectory, tag: number): Uint8Array | undefined => {
  const field = fields.get(tag);
  return field && file.bytes.subarray(field.start, field.start + field.byteLength);
};
