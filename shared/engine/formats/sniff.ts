import type { ImageSource } from '../../domain/image-source';
import { isVideoFormat, type ImageSourceFormat } from '../../catalogue/formats';
import { recogniseFormat, unsupportedFile } from './recognise';
import { sniffJpeg } from './images/sniff-jpeg';
import { sniffPng } from './images/sniff-png';
import { UnreadableFile } from '../../domain/unreadable-file';

export type { ImageSource } from '../../domain/image-source';
export { UnreadableFile } from '../../domain/unreadable-file';

export interface SniffLimits {
  /** Width times height. */
  readonly maxPixels: number;
  readonly maxSidePx: number;
}

/** Digits in groups of three. `toLocaleString` is not used, because its result depends on the machine. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const checkSize = ({ width, height }: ImageSource, { maxPixels, maxSidePx }: SniffLimits): void => {
  const claim = `${grouped(width)} × ${grouped(height)} pixels`;
  if (width === 0 || height === 0) throw new UnreadableFile(`The picture claims ${claim}: it is empty.`);
  if (Math.max(width, height) > maxSidePx) {
    throw new UnreadableFile(
      `The picture claims ${claim}; the limit is ${grouped(maxSidePx)} pixels a side.`,
    );
  }
  if (width * height > maxPixels) {
    throw new UnreadableFile(
      `The picture claims ${claim}, ${grouped(width * height)} in all; the limit is ${grouped(maxPixels)}.`,
    );
  }
};

type Sniff = (bytes: Uint8Array, check: (claim: ImageSource) => void) => ImageSource;

/** The code of formats that most visits never meet is loaded with the first such file. */
const SNIFF = {
  jpeg: async () => sniffJpeg,
  png: async () => sniffPng,
  webp: async () => (await import('./images/sniff-webp')).sniffWebp,
  avif: async () => (await import('./images/sniff-heif')).sniffHeif,
  heic: async () => (await import('./images/sniff-heif')).sniffHeif,
  tiff: async () => (await import('./images/sniff-tiff')).sniffTiff,
  bmp: async () => (await import('./images/sniff-bmp')).sniffBmp,
  gif: async () => (await import('./images/sniff-gif')).sniffGif,
} as const satisfies Record<ImageSourceFormat, () => Promise<Sniff>>;

/**
 * Recognises an image by its content, never by its name, and refuses files that cannot or should not be decoded.
 *
 * Runs before a decoder reads the bytes, so that a few hundred bytes cannot claim gigabytes of pixels.
 *
 * @throws UnreadableFile
 */
export const sniffImage = async (bytes: Uint8Array, limits: SniffLimits): Promise<ImageSource> => {
  const check = (claim: ImageSource): void => checkSize(claim, limits);
  const format = recogniseFormat(bytes);
  if (!format || isVideoFormat(format)) throw unsupportedFile(bytes);
  const sniff: Sniff = await SNIFF[format]();
  const source = sniff(bytes, check);
  check(source);
  return source;
};
