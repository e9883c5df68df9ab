import type { ImageSourceFormat } from '../../catalogue/formats';
import { hdrOf, type ImageHeader } from '../../domain/image-header';
import type { Raster } from '../../domain/raster';
import { damagedImage } from '../../domain/failure';
import { turnOf, turnUpright } from '../pixels/upright';
import { decodeBmp } from './decode-bmp';
import { decodeHdrPng } from './decode-hdr-png';
import { decodeHeic, type LoadHeifLibrary } from './decode-heic';
import { decodeTiff, type JpegDecoder } from './decode-tiff';
import { toRaster, type DecodedPixels } from './decoded-pixels';

/** What these decoders need of a host. */
interface DecoderTools {
  readonly decodeJpeg: JpegDecoder;
  readonly loadHeifLibrary: LoadHeifLibrary;
}

type OwnDecoder = (
  bytes: Uint8Array,
  tools: DecoderTools,
  header: ImageHeader,
) => DecodedPixels | Promise<DecodedPixels>;

/** Formats that hosts do not decode, or not all alike: the same code does it on both. */
const DECODERS = {
  heic: (bytes, { loadHeifLibrary }) => decodeHeic(bytes, loadHeifLibrary),
  tiff: (bytes, { decodeJpeg }) => decodeTiff(bytes, decodeJpeg),
  bmp: decodeBmp,
  png: (bytes, _tools, header) => decodeHdrPng(bytes, header),
} as const satisfies Partial<Record<ImageSourceFormat, OwnDecoder>>;

/** A format that {@link decodeHere} always decodes; hosts have decoders for all others. */
export type OwnFormat = Exclude<keyof typeof DECODERS, 'png'>;

/** A copy that stands upright. */
export const turnedUpright = (raster: Raster, orientation: number): Raster =>
  turnUpright(raster, turnOf(orientation), (size) => new ArrayBuffer(size));

/**
 * Decodes a file to opaque, upright sRGB.
 *
 * @throws UnreadableFile also where a file leads a decoder out of its bounds
 */
export const decodeHere = async (
  bytes: Uint8Array,
  header: ImageHeader & { readonly format: keyof typeof DECODERS },
  tools: DecoderTools,
): Promise<Raster> => {
  const { format, orientation } = header;
  const decode: OwnDecoder = DECODERS[format];
  try {
    // libheif turns images by itself.
    return turnedUpright(toRaster(await decode(bytes, tools, header)), format === 'heic' ? 1 : orientation);
  } catch (error) {
    // Too little memory is a `RangeError`, too.
    if (error instanceof RangeError && !/allocation failed/i.test(error.message)) throw damagedImage();
    throw error;
  }
};

export const isDecodedHere = <Header extends ImageHeader>(
  header: Header,
): header is Header & { readonly format: keyof typeof DECODERS } =>
  header.format === 'png' ? hdrOf(header) !== undefined : header.format in DECODERS;
