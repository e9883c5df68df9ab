import type { ImageCodec } from '../ports/codec';
import type { ImageRenderJob } from '../ports/engine';
import { encodeImage } from './anonymise-image';
import { sniffImage } from './formats/sniff';
import { redact } from './redact/redact';

/** Applies a stored plan to the source again, without any detector. @throws UnreadableFile */
export const renderImage = async (
  { bytes, plan, encoding, limits, keepMetadata = false }: ImageRenderJob,
  codec: ImageCodec,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  signal.throwIfAborted();
  const source = await sniffImage(bytes, limits);
  const raster = await codec.decode(bytes, source);
  signal.throwIfAborted();
  redact(raster, plan);
  return encodeImage(codec, raster, encoding, keepMetadata ? { bytes, format: source.format } : undefined);
};
