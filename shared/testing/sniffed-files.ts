import { LIMITS } from '../domain/limits';
import type { ImageHeader } from '../domain/image-header';
import { UnreadableFile } from '../domain/failure';
import { readImageHeader } from '../engine/formats/read-header';

/** Recognises an image file under the usual limits. */
export const sniff = (bytes: Uint8Array): Promise<ImageHeader> => readImageHeader(bytes, LIMITS);

/** What an image file states about the image itself. */
export const statedFacts = async (bytes: Uint8Array) => {
  const { format, width, height, orientation, hasAlpha } = await sniff(bytes);
  return { format, width, height, orientation, hasAlpha };
};

/** The public sentence with which a file is refused; starts with `accepted` if it is not refused. */
export const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    return `accepted: ${JSON.stringify(await sniff(bytes))}`;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.publicSentence;
    throw error;
  }
};

/** The header of an image that no test reads; by default that of `RAMP_JPEG`. */
export const imageHeader = (changes: Partial<ImageHeader> = {}): ImageHeader => ({
  ...{ format: 'jpeg', width: 48, height: 32, orientation: 1, hasAlpha: false, metadata: [] },
  ...changes,
});
