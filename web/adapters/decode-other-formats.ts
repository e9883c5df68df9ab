import { decodeBmp } from '#shared/engine/decode/decode-bmp';
import { decodeHeic } from '#shared/engine/decode/decode-heic';
import { decodeTiff } from '#shared/engine/decode/decode-tiff';
import { toRaster, type DecodedPixels } from '#shared/engine/decode/decoded-pixels';
import { withoutWebpExif } from '#shared/engine/formats/images/webp';
import { turnOf, turnUpright } from '#shared/engine/pixels/upright';
import type { ImageHeader } from '#shared/domain/image-header';
import type { Raster } from '#shared/domain/raster';
import { damagedImage } from '#shared/domain/unreadable-file';
import { loadHeifLibrary } from './heif-library';

/** Decodes what the browser decodes, and applies orientation and colours. */
type BrowserDecoder = (bytes: Uint8Array, header: Pick<ImageHeader, 'format'>) => Promise<Raster>;

const decode = (
  bytes: Uint8Array,
  { format }: ImageHeader,
  decodeByBrowser: BrowserDecoder,
): DecodedPixels | Promise<DecodedPixels> => {
  switch (format) {
    case 'heic':
      return decodeHeic(bytes, loadHeifLibrary);
    case 'tiff':
      return decodeTiff(bytes, (jpeg) => decodeByBrowser(jpeg, { format: 'jpeg' }));
    case 'bmp':
      return decodeBmp(bytes);
    default:
      throw new Error(`A ${format} was sent to the wrong decoder`);
  }
};

/** By the product's own code, the same as on the server. */
const decodeHere = async (...args: Parameters<typeof decode>): Promise<Raster> => {
  try {
    return toRaster(await decode(...args));
  } catch (error) {
    // A file that leads a decoder out of its bounds. Too little memory is a `RangeError`, too.
    if (error instanceof RangeError && !/allocation failed/i.test(error.message)) throw damagedImage();
    throw error;
  }
};

/**
 * Decodes a HEIC, TIFF or BMP that was sniffed, or a WebP that EXIF turns, to opaque, upright sRGB. Loaded with the
 * first such file, as most visits have none.
 *
 * @throws UnreadableFile
 */
export const decodeOtherFormat = async (
  bytes: Uint8Array,
  header: ImageHeader,
  decodeByBrowser: BrowserDecoder,
): Promise<Raster> => {
  // Browsers disagree about the orientation in the EXIF of WebP files: it is taken out, and applied here.
  const raster = await (header.format === 'webp'
    ? decodeByBrowser(withoutWebpExif(bytes), header)
    : decodeHere(bytes, header, decodeByBrowser));
  // libheif turns images by itself.
  const turn = turnOf(header.format === 'heic' ? 1 : header.orientation);
  return turnUpright(raster, turn, (size) => new ArrayBuffer(size));
};
