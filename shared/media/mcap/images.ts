import { UnreadableFile } from '../../domain/failure';
import { uprightSize, type ImageHeader } from '../../domain/image-header';
import { RGBA, type Raster, type Size } from '../../domain/raster';
import { LIMITS } from '../../domain/limits';
import { readImageHeader } from '../../engine/formats/read-header';
import type { BagRequest } from '../../ports/bag';
import type { PngPixels } from '../../ports/codec';
import type { ImageFormat } from '../../ports/engine';
import { MessageProblem, type ImageMessage } from './messages/image-message';
import { rasterOfRaw, rawOfRaster, requireRawPixels } from './pixels/raw-pixels';

/** Quality of image files in messages: higher than that of photos, because networks are trained with them. */
const QUALITY = 95;
const COMPRESS_LEVEL = 3;

/** Formats of files that are written as they were read. */
const FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'avif'];

/** Encodings of distances, in messages and in the formats of `compressedDepth`. */
const DEPTH = /^\s*(16UC1|32FC1)\b|compressedDepth/;

/** Whether a message holds distances instead of colours. */
export const isDepth = ({ kind, format }: ImageMessage): boolean => kind !== 'video' && DEPTH.test(format);

/** @throws MessageProblem where its claim is too large */
export const requireSize = ({ width, height }: Size, { maxVideoPixels }: BagRequest['limits']): void => {
  if (width * height <= maxVideoPixels) return;
  throw new MessageProblem(
    `it claims images of ${width} × ${height} pixels; the limit is ${maxVideoPixels} in all`,
  );
};

const headerOf = async (
  { data }: ImageMessage,
  { limits }: BagRequest,
): Promise<ImageHeader & { readonly format: ImageFormat }> => {
  try {
    const { maxSidePx } = LIMITS;
    const header = await readImageHeader(data, { maxPixels: limits.maxVideoPixels, maxSidePx });
    const format = FORMATS.find((each) => each === header.format);
    if (format) return { ...header, format };
    throw new MessageProblem(`it has images in the format ${header.format}`);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new MessageProblem(`an image is refused (${error.message.replace(/\.$/, '')})`);
  }
};

/** The size of a message's image, upright. @throws MessageProblem where it is not read */
export const sizeOfImage = async (message: ImageMessage, request: BagRequest): Promise<Size> => {
  if (message.kind === 'compressed') return uprightSize(await headerOf(message, request));
  requireSize(message, request.limits);
  requireRawPixels(message.format, message);
  return { width: message.width, height: message.height };
};

/** @throws MessageProblem */
export const decodeImage = async (message: ImageMessage, request: BagRequest): Promise<Raster> => {
  if (message.kind === 'raw') return rasterOfRaw(message.format, message);
  const header = await headerOf(message, request);
  try {
    return await request.codec.decode(message.data, header);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new MessageProblem('an image cannot be decoded');
  }
};

/** A grey image has one channel, as readers expect of `mono8`; all others have three. */
const pngPixels = ({ width, height, data }: Raster, { format }: ImageMessage): PngPixels => {
  const channels = /^\s*mono8\b/.test(format) ? 1 : 3;
  const out = new Uint8Array(width * height * channels);
  for (let from = 0, to = 0; to < out.length; from += RGBA, to += channels) {
    for (let i = 0; i < channels; i++) out[to + i] = data[from + i]!;
  }
  return { width, height, channels, data: out };
};

/** The data of a message with other pixels: in the same encoding, and without metadata. */
export const encodeImage = async (
  message: ImageMessage,
  raster: Raster,
  request: BagRequest,
): Promise<Uint8Array> => {
  if (message.kind === 'raw') return rawOfRaster(message.format, message, raster);
  const { format } = await headerOf(message, request);
  return format === 'png'
    ? request.codec.encodePng(pngPixels(raster, message), COMPRESS_LEVEL)
    : request.codec.encodeLossy(format, raster, QUALITY);
};
