import type { ImageHeader } from '../domain/image-header';
import type { Raster } from '../domain/raster';
import type { LossyFormat } from './engine';

/** Pixels to be written as PNG, with 1 (grey), 3 (RGB) or 4 (RGBA) bytes each. */
export interface PngPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** Decodes files to pixels and encodes pixels. Metadata, thumbnails, profiles and trailers are never carried over. */
export interface ImageCodec {
  /**
   * Decodes an image file to an upright sRGB image (orientation applied, colours converted by the file's own
   * description, 16 bits reduced to 8, transparent parts composed onto white). Of several images in the file, only the
   * primary one is decoded.
   *
   * @throws if the platform cannot read the file; the caller turns it into the public sentence
   */
  decode(bytes: Uint8Array, source: ImageHeader): Promise<Raster>;
  /** @param quality 1..100 */
  encodeLossy(format: LossyFormat, raster: Raster, quality: number): Promise<Uint8Array>;
  /** @param compressLevel zlib's 0..9 */
  encodePng(pixels: PngPixels, compressLevel: number): Promise<Uint8Array>;
}
