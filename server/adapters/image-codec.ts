import sharp, { type Sharp } from 'sharp';
import type { ImageCodec } from '#shared/ports/codec';
import { RGBA } from '#shared/domain/raster';
import type { ImageSource } from '#shared/engine/formats/sniff';
import { damagedImage } from '#shared/domain/unreadable-file';

// Every picture is another one: a cache of operations only holds memory.
sharp.cache(false);

/** How each EXIF orientation is turned upright: first mirrored, then turned clockwise. */
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
 * Turns by what the file's own description says, not by what sharp reads from it: the two could differ on broken
 * EXIF, and the masks would then lie beside the persons.
 */
const turnUpright = (image: Sharp, orientation: number): Sharp => {
  const { mirrored, degrees } = UPRIGHT[orientation] ?? { mirrored: false, degrees: 0 };
  return image.flop(mirrored).rotate(degrees);
};

/** A view, not a copy. */
const bufferOf = (bytes: Uint8Array | Uint8ClampedArray): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const decoder = (bytes: Uint8Array, source: ImageSource): Sharp => {
  const image = sharp(bytes, {
    // Warnings are many and harmless in photographs; errors mean that pixels are missing.
    failOn: 'error',
    // The claims were checked when the file was sniffed, with a sentence of ours.
    limitInputPixels: false,
    sequentialRead: true,
  });
  return turnUpright(image, source.orientation)
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw({ depth: 'uchar' });
};

/** Decodes and writes with libvips; results carry no metadata, as sharp keeps none unless asked. */
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
