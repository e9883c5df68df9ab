import type { ImageEncoding, ImageFormat } from '../../ports/engine';

/** What each format is called, in HTTP and on disk. */
export const IMAGE_FORMATS = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
} as const satisfies Record<ImageFormat, { contentType: string; extension: string }>;

/** How results are stored; also what a download gives where it names no quality or compression level. */
export const DEFAULT_ENCODINGS = {
  jpeg: { format: 'jpeg', quality: 90 },
  png: { format: 'png', compressLevel: 5 },
} as const satisfies Record<ImageFormat, ImageEncoding>;

export const formatOf = (contentType: string): ImageFormat =>
  contentType === IMAGE_FORMATS.png.contentType ? 'png' : 'jpeg';
