import sharp from 'sharp';
import type { ImageCodec } from '#shared/ports/codec';
import { RGBA } from '#shared/domain/raster';
import { decodeImage } from './decode-image';

/** A view of the same memory. */
const bufferOf = (bytes: Uint8Array | Uint8ClampedArray): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The image codec on libvips. Results contain no metadata, because sharp keeps none by default. */
export const imageCodec = {
  decode: decodeImage,
  encodeJpeg: ({ width, height, data }, quality) =>
    sharp(bufferOf(data), { raw: { width, height, channels: RGBA }, limitInputPixels: false })
      .removeAlpha()
      .jpeg({ quality, chromaSubsampling: '4:2:0' })
      .toBuffer(),
  encodePng: ({ width, height, channels, data }, compressLevel) =>
    sharp(bufferOf(data), { raw: { width, height, channels }, limitInputPixels: false })
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
      .png({ compressionLevel: compressLevel, adaptiveFiltering: channels > 1 })
      .toBuffer(),
} satisfies ImageCodec;
