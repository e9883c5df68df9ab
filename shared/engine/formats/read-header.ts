import { isVideoFormat, type ImageSourceFormat } from '../../catalogue/formats';
import { uprightSize, type ImageHeader, type MetadataKind } from '../../domain/image-header';
import type { Size } from '../../domain/raster';
import { UnreadableFile } from '../../domain/failure';
import type { PixelLimits } from '../../ports/engine';
import { bytesAt, createNotes, type HeaderFacts, type HeaderReader } from './header-reader';
import { readJpeg } from './images/jpeg';
import { readPng } from './images/png';
import { recogniseFormat, unsupportedFile } from './recognise';
import { kindsInOrder } from './metadata-names';
import { soundProjection } from '../../domain/projection';
import { projectionOfXmp } from './panorama-xmp';

/** The code of formats that most visits never meet is loaded with the first such file. */
const READERS = {
  jpeg: async () => readJpeg,
  png: async () => readPng,
  webp: async () => (await import('./images/webp')).readWebp,
  avif: async () => (await import('./images/heif')).readHeifHeader,
  heic: async () => (await import('./images/heif')).readHeifHeader,
  tiff: async () => (await import('./images/tiff')).readTiff,
  bmp: async () => (await import('./images/bmp')).readBmp,
  gif: async () => (await import('./images/gif')).readGif,
} as const satisfies Record<ImageSourceFormat, () => Promise<HeaderReader>>;

/** Digits in groups of three. `toLocaleString` is not used, because its result depends on the machine. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const checkSize = ({ width, height }: Size, { maxPixels, maxSidePx }: PixelLimits): void => {
  const claim = `${grouped(width)} × ${grouped(height)} pixels`;
  if (width === 0 || height === 0) throw new UnreadableFile(`The image claims ${claim}: it is empty.`);
  if (Math.max(width, height) > maxSidePx) {
    throw new UnreadableFile(`The image claims ${claim}; the limit is ${grouped(maxSidePx)} pixels a side.`);
  }
  if (width * height > maxPixels) {
    throw new UnreadableFile(
      `The image claims ${claim}, ${grouped(width * height)} in all; the limit is ${grouped(maxPixels)}.`,
    );
  }
};

const read = async (
  bytes: Uint8Array,
  found: Set<MetadataKind>,
  check: (claim: Size) => void,
): Promise<HeaderFacts> => {
  const format = recogniseFormat(bytes);
  if (!format || isVideoFormat(format)) throw unsupportedFile(bytes);
  const reader: HeaderReader = await READERS[format]();
  const facts = reader(
    bytes,
    createNotes((kind) => void found.add(kind)),
    check,
  );
  check(facts);
  return facts;
};

/**
 * Recognises an image by its content, never by its name, reads its header in one pass, and refuses files that cannot or
 * should not be decoded.
 *
 * Runs before a decoder reads the bytes, so that a few hundred bytes cannot claim gigabytes of pixels.
 *
 * @throws UnreadableFile
 */
export const readImageHeader = async (bytes: Uint8Array, limits: PixelLimits): Promise<ImageHeader> => {
  const found = new Set<MetadataKind>();
  const facts = await read(bytes, found, (claim) => checkSize(claim, limits));
  const stated = facts.xmp && projectionOfXmp(bytesAt(bytes, facts.xmp));
  const projection = soundProjection({ ...uprightSize(facts), projection: stated });
  return { ...facts, ...(projection && { projection }), metadata: kindsInOrder(found) };
};

/** Lists the kinds of metadata in an image file, also where it is refused: then as far as it was read. */
export const findMetadata = async (bytes: Uint8Array): Promise<readonly MetadataKind[]> => {
  const found = new Set<MetadataKind>();
  try {
    await read(bytes, found, () => undefined);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
  return kindsInOrder(found);
};
