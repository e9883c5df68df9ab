import { LIMITS } from '../domain/limits';
import type { ImageSource } from '../domain/image-source';
import { sniffImage, UnreadableFile } from '../engine/formats/sniff';

/** Recognises an image file under the usual limits. */
export const sniff = (bytes: Uint8Array): Promise<ImageSource> => sniffImage(bytes, LIMITS);

/** The public sentence with which a file is refused; starts with `accepted` if it is not refused. */
export const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    return `accepted: ${JSON.stringify(await sniff(bytes))}`;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.publicSentence;
    throw error;
  }
};
