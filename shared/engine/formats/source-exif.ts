import type { ImageSourceFormat } from '../../catalogue/formats';
import { findHeifExif } from './images/sniff-heif';
import { findJpegExif } from './images/sniff-jpeg';
import { findPngExif } from './images/sniff-png';
import { findWebpExif } from './images/sniff-webp';

const FIND = {
  jpeg: findJpegExif,
  png: findPngExif,
  webp: findWebpExif,
  avif: findHeifExif,
  heic: findHeifExif,
  // The file has the structure itself, and its first directory the same fields.
  tiff: (bytes) => bytes,
  bmp: () => undefined,
  gif: () => undefined,
} as const satisfies Record<ImageSourceFormat, (bytes: Uint8Array) => Uint8Array | undefined>;

/** The TIFF structure of a sniffed file's EXIF; undefined where the file or its format has none. */
export const findExif = (bytes: Uint8Array, format: ImageSourceFormat): Uint8Array | undefined =>
  FIND[format](bytes);
