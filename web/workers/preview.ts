import { LIMITS } from '#shared/domain/limits';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { imageCodec } from '../adapters/image-codec';

const QUALITY = 90;

/**
 * A JPEG of an image that browsers cannot show, or show turned.
 *
 * @returns undefined where the file itself can be shown
 * @throws UnreadableFile
 */
export const makePreview = async (file: Blob): Promise<Blob | undefined> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const source = await readImageHeader(bytes, LIMITS);
  const { format, orientation } = source;
  const isShown = format !== 'heic' && format !== 'tiff' && (format !== 'webp' || orientation === 1);
  if (isShown) return undefined;
  const jpeg = await imageCodec.encodeLossy('jpeg', await imageCodec.decode(bytes, source), QUALITY);
  return new Blob([jpeg as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' });
};
