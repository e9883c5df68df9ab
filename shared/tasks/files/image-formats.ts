import { IMAGE_SOURCE_FORMATS, type ImageSourceFormat } from '../../domain/image-source';
import type { ImageEncoding, ImageFormat } from '../../ports/engine';

/** What each format is called, in HTTP and on disk. */
export const IMAGE_FORMATS = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  avif: { contentType: 'image/avif', extension: 'avif' },
  heic: { contentType: 'image/heic', extension: 'heic' },
  tiff: { contentType: 'image/tiff', extension: 'tif' },
  bmp: { contentType: 'image/bmp', extension: 'bmp' },
  gif: { contentType: 'image/gif', extension: 'gif' },
} as const satisfies Record<ImageSourceFormat, { contentType: string; extension: string }>;

/** How results are stored; also what a download gives where it names no quality or compression level. */
export const DEFAULT_ENCODINGS = {
  jpeg: { format: 'jpeg', quality: 90 },
  png: { format: 'png', compressLevel: 5 },
} as const satisfies Record<ImageFormat, ImageEncoding>;

export const formatOf = (contentType: string): ImageSourceFormat =>
  IMAGE_SOURCE_FORMATS.find((format) => IMAGE_FORMATS[format].contentType === contentType) ?? 'jpeg';
