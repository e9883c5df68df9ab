import type { ImageCodec } from '../ports/codec';
import type { ImageRenderJob } from '../ports/engine';
import { encodeImage } from './anonymise-image';
import { redact } from './redact/redact';

/** Applies a stored plan to the source again, without any detector. @throws UnreadableFile */
export const renderImage = async (
  { bytes, header, plan, encoding, keepMetadata = false }: ImageRenderJob,
  codec: ImageCodec,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  signal.throwIfAborted();
  const raster = await codec.decode(bytes, header);
  signal.throwIfAborted();
  redact(raster, plan);
  return encodeImage(codec, raster, encoding, keepMetadata ? { bytes, exif: header.exif } : undefined);
};
