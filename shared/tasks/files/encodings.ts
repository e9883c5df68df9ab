import type { ImageEncoding, ImageFormat } from '../../ports/engine';

/** How results are stored; also what a download gives where it names no quality or compression level. */
export const DEFAULT_ENCODINGS = {
  jpeg: { format: 'jpeg', quality: 90 },
  png: { format: 'png', compressLevel: 5 },
} as const satisfies Record<ImageFormat, ImageEncoding>;
