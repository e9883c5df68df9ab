import { decodeBmp } from '#shared/engine/decode/decode-bmp';
import { decodeHeic } from '#shared/engine/decode/decode-heic';
import { decodeTiff, type JpegDecoder } from '#shared/engine/decode/decode-tiff';
import { toRaster, type DecodedPixels } from '#shared/engine/decode/decoded-pixels';
import { turnOf, turnUpright } from '#shared/engine/pixels/upright';
import type { ImageSource } from '#shared/domain/image-source';
import type { Raster } from '#shared/domain/raster';
import { damagedImage } from '#shared/domain/unreadable-file';
import { loadHeifLibrary } from './heif-library';

/** The formats that browsers do not decode, or not all alike. */
export type OtherFormat = 'heic' | 'tiff' | 'bmp';

const decode = (
  bytes: Uint8Array,
  format: OtherFormat,
  decodeJpeg: JpegDecoder,
): DecodedPixels | Promise<DecodedPixels> => {
  switch (format) {
    case 'heic':
      return decodeHeic(bytes, loadHeifLibrary);
    case 'tiff':
      return decodeTiff(bytes, decodeJpeg);
    case 'bmp':
      return decodeBmp(bytes);
  }
};

/**
 * Decodes a file that was sniffed to opaque, upright sRGB by the product's own code, the same as on the server. Loaded
 * with the first such file, as most visits have none.
 *
 * @throws UnreadableFile
 */
export const decodeOtherFormat = async (
  bytes: Uint8Array,
  format: OtherFormat,
  source: ImageSource,
  decodeJpeg: JpegDecoder,
): Promise<Raster> => {
  let raster: Raster;
  try {
    raster = toRaster(await decode(bytes, format, decodeJpeg));
  } catch (error) {
    // A file that leads a decoder out of its bounds. Too little memory is a `RangeError`, too.
    if (error instanceof RangeError && !/allocation failed/i.test(error.message)) throw damagedImage();
    throw error;
  }
  // libheif turns pictures by itself.
  const turn = turnOf(format === 'heic' ? 1 : source.orientation);
  return turnUpright(raster, turn, (size) => new ArrayBuffer(size));
};
