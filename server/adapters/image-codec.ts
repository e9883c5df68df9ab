import sharp, { type Sharp } from 'sharp';
import type { ImageCodec } from '#shared/ports/codec';
import { RGBA } from '#shared/domain/raster';
import type { ImageSource } from '#shared/engine/formats/sniff';
import { damagedImage } from '#shared/domain/unreadable-file';

// Each image is processed once, so a cache of operations would only occupy memory.
sharp.cache(false);

/** How each EXIF orientation is made upright: mirrored first, then turned clockwise. */
const UPRIGHT: Readonly<Record<number, { readonly mirrored: boolean; readonly degrees: number }>> = {
  1: { mirrored: false, degrees: 0 },
  2: { mirrored: true, degrees: 0 },
  3: { mirrored: false, degrees: 180 },
  4: { mirrored: true, degrees: 180 },
  5: { mirrored: true, degrees: 270 },
  6: { mirrored: false, degrees: 90 },
  7: { mirrored: true, degrees: 90 },
  8: { mirrored: false, degrees: 270 },
};

/**
 * Turns an image by the orientation that the sniffer read, not by the one that sharp reads. The two may differ for
 * broken EXIF data, and the masks would then be misplaced.
 */
const turnUpright = (image: Sharp, orientation: number): Sharp => {
  const { mirrored, degrees } = UPRIGHT[orientation] ?? { mirrored: false, degrees: 0 };
  return image.flop(mirrored).rotate(degrees);
};

/** A view of the same memory. */
const bufferOf = (bytes: Uint8Array | Uint8ClampedArray): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const decoder = (bytes: Uint8Array, source: ImageSource): Sharp => {
  const image = sharp(bytes, {
    // Warnings are frequent and harmless in photos. Errors mean that pixels are missing.
    failOn: 'error',
    // The size was already checked, with a public sentence, when the header was read.
    limitInputPixels: false,
    sequentialRead: true,
  });
  return turnUpright(image, source.orientation)
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw({ depth: 'uchar' });
};

/** The image codec on libvips. Results contain no metadata, because sharp keeps none by default. */
export const imageCodec = {
  decode: async (bytes, source) => {
    const { data, info } = await decoder(bytes, source)
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw damagedImage();
      });
    if (info.channels !== RGBA) throw new Error(`sharp decoded ${info.channels} channels instead of ${RGBA}`);
    return { width: info.width, height: info.height, data };
  },
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
