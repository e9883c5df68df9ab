import type { FileRange } from '../../domain/image-header';
import type { ImageFormat } from '../../ports/engine';
import { crc32 } from './crc32';
import { keptExif } from './kept-exif';
import { bytesAt } from './header-reader';

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
