import type { ImageCodec } from '#shared/ports/codec';
import { RGBA, type Raster } from '#shared/domain/raster';
import { FORMATS, type ImageSourceFormat } from '#shared/catalogue/formats';
import type { OwnFormat } from '#shared/engine/decode/decode-here';
import { hdrOf, type ImageHeader } from '#shared/domain/image-header';
import { damagedImage } from '#shared/domain/failure';

/** Pixels read from the canvas at once. A second full copy of a very large image would not fit in memory. */
const BAND_PIXELS = 2 ** 22;

const context2d = (canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D => {
  // Kept in main memory, because pixels that are copied to the GPU may come back rounded.
  const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' });
  if (!context) throw new Error('No 2D canvas in this browser');
  return context;
};

/** Reads a bitmap in bands, composed onto white. */
const readPixels = (bitmap: ImageBitmap): Raster => {
  const { width, height } = bitmap;
  const bandRows = Math.min(height, Math.max(1, Math.floor(BAND_PIXELS / width)));
  const context = context2d(new OffscreenCanvas(width, bandRows));
  context.imageSmoothingEnabled = false;
  context.fillStyle = '#fff';
  const readBand = (top: number): Uint8ClampedArray => {
    const rows = Math.min(bandRows, height - top);
    context.fillRect(0, 0, width, rows);
    context.drawImage(bitmap, 0, -top);
    return context.getImageData(0, 0, width, rows).data;
  };
  if (bandRows === height) return { width, height, data: readBand(0) };
  const data = new Uint8ClampedArray(width * height * RGBA);
  for (let top = 0; top < height; top += bandRows) data.set(readBand(top), top * width * RGBA);
  return { width, height, data };
};

type Decoder = (bytes: Uint8Array, header: ImageHeader) => Promise<Raster>;

const decodeBitmap = async (
  bytes: Uint8Array,
  { format }: Pick<ImageHeader, 'format'>,
): Promise<ImageBitmap> => {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: FORMATS[format].mediaType });
  try {
    return await createImageBitmap(blob);
  } catch {
    throw damagedImage();
  }
};

const asImageData = ({ data, width, height }: Raster): ImageData =>
  new ImageData(
    new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength),
    width,
    height,
  );

const encodeLossy: ImageCodec['encodeLossy'] = async (format, raster, quality) => {
  const canvas = new OffscreenCanvas(raster.width, raster.height);
  context2d(canvas).putImageData(asImageData(raster), 0, 0);
  const type = FORMATS[format].mediaType;
  const blob = await canvas.convertToBlob({ type, quality: quality / 100 });
  // A canvas silently writes PNG if it does not support the requested type.
  if (blob.type !== type) throw new Error(`The canvas wrote ${blob.type} instead of ${type}`);
  return new Uint8Array(await blob.arrayBuffer());
};

const decodeByBrowser = async (bytes: Uint8Array, header: Pick<ImageHeader, 'format'>): Promise<Raster> => {
  // The browser applies the orientation and converts to sRGB.
  const bitmap = await decodeBitmap(bytes, header);
  try {
    return readPixels(bitmap);
  } finally {
    bitmap.close();
  }
};

/** Loaded only for what browsers do not decode, or not all alike. */
const decodeOther: Decoder = async (bytes, header) =>
  (await import('./decode-other-formats')).decodeOtherFormat(bytes, header, decodeByBrowser);

const DECODERS = {
  jpeg: decodeByBrowser,
  png: decodeByBrowser,
  webp: (bytes, header) => (header.orientation === 1 ? decodeByBrowser : decodeOther)(bytes, header),
  avif: decodeByBrowser,
  gif: decodeByBrowser,
} as const satisfies Record<Exclude<ImageSourceFormat, OwnFormat>, Decoder>;

const decoderOf = (header: ImageHeader): Decoder =>
  header.format in DECODERS && !hdrOf(header)
    ? DECODERS[header.format as keyof typeof DECODERS]
    : decodeOther;

/**
 * Decodes and encodes with the browser's codecs, and PNG with `png-encoder.ts` (a canvas has no compression
 * level).
 */
export const imageCodec = {
  decode: async (bytes, header) => decoderOf(header)(bytes, header),
  encodeLossy,
  // Loaded with the first PNG: most results are JPEG.
  encodePng: async (...png) => (await import('./png-encoder')).encodePng(...png),
} satisfies ImageCodec;
