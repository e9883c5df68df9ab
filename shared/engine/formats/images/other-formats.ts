import type { ImageSource } from '../../../domain/image-source';
import { isBmp } from './bmp-header';
import { sniffBmp } from './sniff-bmp';
import { isGif, sniffGif } from './sniff-gif';
import { isHeif, sniffHeif } from './sniff-heif';
import { isTiff, sniffTiff } from './sniff-tiff';
import { isWebp, sniffWebp } from './sniff-webp';

/** For formats whose headers have tables that grow with the claimed size. @throws UnreadableFile */
export type CheckSize = (claim: ImageSource) => void;

const FORMATS = [
  { recognises: isWebp, sniff: sniffWebp },
  { recognises: isHeif, sniff: sniffHeif },
  { recognises: isTiff, sniff: sniffTiff },
  { recognises: isBmp, sniff: sniffBmp },
  { recognises: isGif, sniff: sniffGif },
] as const satisfies readonly {
  recognises: (bytes: Uint8Array) => boolean;
  sniff: (bytes: Uint8Array, check: CheckSize) => ImageSource;
}[];

/** Whether a file begins like an image of a format other than JPEG and PNG. */
export const isOtherFormat = (head: Uint8Array): boolean =>
  FORMATS.some(({ recognises }) => recognises(head));

/**
 * Reads what an image of a format other than JPEG and PNG states about itself.
 *
 * @returns undefined where the file is none
 * @throws UnreadableFile
 */
export const sniffOtherFormat = (bytes: Uint8Array, check: CheckSize): ImageSource | undefined =>
  FORMATS.find(({ recognises }) => recognises(bytes))?.sniff(bytes, check);
