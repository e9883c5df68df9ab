import { corruptHeader, truncatedFile } from '../../../domain/unreadable-file';

const FORMAT = 'TIFF';
const ENTRY_BYTES = 12;
const HEADER_BYTES = 8;
/** More than any writer uses, and few enough to be read at once. */
const MAX_FIELDS = 4_096;
const MAX_DIRECTORIES = 65_535;
/** Bytes of one value, by type: BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, …, IFD. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
};
const NUMBER_TYPES: readonly number[] = [1, 3, 4, 13];
const INLINE_BYTES = 4;

/** A file or an EXIF block: offsets count from its beginning. */
export interface TiffFile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly littleEndian: boolean;
}

/** Where a field's values lie. */
interface TiffField {
  readonly type: number;
  readonly count: number;
  readonly start: number;
  readonly byteLength: number;
}

/** An image file directory: fields by their tag. */
export type TiffDirectory = ReadonlyMap<number, TiffField>;

/** @throws UnreadableFile where it is none */
export const openTiff = (bytes: Uint8Array): TiffFile => {
  if (bytes.length < HEADER_BYTES) throw truncatedFile(FORMAT);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const byteOrder = view.getUint16(0);
  if (byteOrder !== 0x4949 && byteOrder !== 0x4d4d) throw corruptHeader(FORMAT);
  return { bytes, view, littleEndian: byteOrder === 0x4949 };
};

const readField = ({ view, littleEndian }: TiffFile, at: number): TiffField | undefined => {
  const type = view.getUint16(at + 2, littleEndian);
  const count = view.getUint32(at + 4, littleEndian);
  const byteLength = (VALUE_BYTES[type] ?? 0) * count;
  const start = byteLength <= INLINE_BYTES ? at + 8 : view.getUint32(at + 8, littleEndian);
  // Fields of unknown types are to be skipped; those that lie outside the file are as good as absent.
  if (byteLength === 0 || start + byteLength > view.byteLength) return undefined;
  return { type, count, start, byteLength };
};

interface DirectoryAt {
  readonly directory: TiffDirectory;
  /** Offset of the next directory; 0: there is none. */
  readonly next: number;
}

const readDirectory = (file: TiffFile, at: number): DirectoryAt => {
  const { view, littleEndian } = file;
  if (at < HEADER_BYTES || at + 2 > view.byteLength) throw truncatedFile(FORMAT);
  const count = view.getUint16(at, littleEndian);
  const end = at + 2 + count * ENTRY_BYTES;
  if (count === 0 || count > MAX_FIELDS) throw corruptHeader(FORMAT);
  if (end > view.byteLength) throw truncatedFile(FORMAT);
  const fields = new Map<number, TiffField>();
  for (let entryAt = at + 2; entryAt < end; entryAt += ENTRY_BYTES) {
    const tag = view.getUint16(entryAt, littleEndian);
    const field = readField(file, entryAt);
    if (field && !fields.has(tag)) fields.set(tag, field);
  }
  // The last directory's pointer is missing in some files.
  const next = end + 4 <= view.byteLength ? view.getUint32(end, littleEndian) : 0;
  return { directory: fields, next };
};

/** All directories of the file's chain. @throws UnreadableFile where the chain is broken or a circle */
export const readDirectories = (file: TiffFile): readonly TiffDirectory[] => {
  const directories: TiffDirectory[] = [];
  const seen = new Set<number>();
  let at = file.view.getUint32(4, file.littleEndian);
  do {
    if (seen.has(at) || seen.size === MAX_DIRECTORIES) throw corruptHeader(FORMAT);
    seen.add(at);
    const { directory, next } = readDirectory(file, at);
    directories.push(directory);
    at = next;
  } while (at !== 0);
  return directories;
};

/** A field's whole numbers; undefined where it is absent, or not of whole numbers. */
export const numbersOf = (file: TiffFile, directory: TiffDirectory, tag: number): number[] | undefined => {
  const field = directory.get(tag);
  if (!field || !NUMBER_TYPES.includes(field.type)) return undefined;
  const { view, littleEndian } = file;
  const size = VALUE_BYTES[field.type] ?? 1;
  return Array.from({ length: field.count }, (_, index) => {
    const at = field.start + index * size;
    if (size === 1) return view.getUint8(at);
    return size === 2 ? view.getUint16(at, littleEndian) : view.getUint32(at, littleEndian);
  });
};

/** A field's first number. */
export const numberOf = (file: TiffFile, directory: TiffDirectory, tag: number): number | undefined =>
  directory.has(tag) ? numbersOf(file, directory, tag)?.[0] : undefined;

/** A field's bytes as they are; undefined where it is absent. */
export const bytesOf = (
  { bytes }: TiffFile,
  directory: TiffDirectory,
  tag: number,
): Uint8Array | undefined => {
  const field = directory.get(tag);
  return field && bytes.subarray(field.start, field.start + field.byteLength);
};
