import type { ImageSource } from '../../../domain/image-source';
import { corruptHeader, truncatedFile } from '../../../domain/unreadable-file';
import { BMP_CODING, bmpRowBytes, readBmpHeader } from './bmp-header';

const FORMAT = 'BMP';

/** Reads the size of a BMP file, and checks that its pixels are in the file; run-length coded ones may end early. */
export const sniffBmp = (bytes: Uint8Array): ImageSource => {
  const header = readBmpHeader(bytes);
  const { width, height, coding, masks, paletteAt, paletteEntryBytes, paletteLength, pixelsAt } = header;
  const paletteEnd = paletteAt + paletteEntryBytes * paletteLength;
  if (pixelsAt < paletteAt) throw corruptHeader(FORMAT);
  const isRunLengthCoded = coding === BMP_CODING.rle4 || coding === BMP_CODING.rle8;
  const minPixelBytes = isRunLengthCoded ? 1 : bmpRowBytes(header) * height;
  if (Math.max(pixelsAt + minPixelBytes, paletteEnd) > bytes.length) throw truncatedFile(FORMAT);
  return { format: 'bmp', width, height, orientation: 1, hasAlpha: masks[3] !== 0 };
};
