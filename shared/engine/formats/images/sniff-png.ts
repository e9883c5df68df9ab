import { crc32 } from '../crc32';
import { fourCharacters } from '../bytes';
import { countStructures } from '../structure-limits';
import { requireStandardRange } from './dynamic-range';
import { exifOrientation } from './exif-orientation';
import type { ImageSource } from '../../../domain/image-source';
import { corruptHeader, damagedImage, truncatedFile, UnreadableFile } from '../../../domain/unreadable-file';

const FORMAT = 'PNG';
const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 13;
/** Bytes of length, type and checksum. */
const CHUNK_OVERHEAD_BYTES = 12;
const MAX_CHUNK_BYTES = 2 ** 31 - 1;
/** Allowed bit depths by colour type. */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

interface Chunk {
  readonly type: string;
  readonly payload: Uint8Array;
  readonly end: number;
}

/** Critical chunks, which no decoder may skip, begin with a capital letter. */
const isCritical = (type: string): boolean => type < 'a';

const readChunk = (bytes: Uint8Array, at: number): Chunk => {
  if (at + CHUNK_OVERHEAD_BYTES > bytes.length) throw truncatedFile(FORMAT);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(at);
  const type = fourCharacters(bytes, at + 4);
  if (length > MAX_CHUNK_BYTES || !/^[A-Za-z]{4}$/.test(type)) throw corruptHeader(FORMAT);
  const end = at + CHUNK_OVERHEAD_BYTES + length;
  if (end > bytes.length) throw truncatedFile(FORMAT);
  if (isCritical(type) && crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) {
    throw type === 'IDAT' ? damagedImage() : corruptHeader(FORMAT);
  }
  return { type, payload: bytes.subarray(at + 8, at + 8 + length), end };
};

/** Colour types with an alpha channel. */
const ALPHA_TYPES: readonly number[] = [4, 6];

type PngHeader = Pick<ImageSource, 'width' | 'height' | 'hasAlpha'>;

const readHeader = ({ type, payload }: Chunk): PngHeader => {
  if (type !== 'IHDR' || payload.length !== HEADER_BYTES) throw corruptHeader(FORMAT);
  const [bitDepth = 0, colourType = -1, compression, filter, interlace = 2] = payload.subarray(8);
  if (!BIT_DEPTHS[colourType]?.includes(bitDepth)) throw corruptHeader(FORMAT);
  if (compression !== 0 || filter !== 0 || interlace > 1) throw corruptHeader(FORMAT);
  const view = new DataView(payload.buffer, payload.byteOffset);
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    hasAlpha: ALPHA_TYPES.includes(colourType),
  };
};

/** The chunks of a file, in order, without the last. @throws UnreadableFile where one is broken */
export function* pngChunks(bytes: Uint8Array): Generator<Chunk> {
  const count = countStructures('png');
  let chunk = readChunk(bytes, SIGNATURE_BYTES);
  while (chunk.type !== 'IEND') {
    count();
    yield chunk;
    chunk = readChunk(bytes, chunk.end);
  }
}

/** The TIFF structure of the first EXIF chunk, which also gives the orientation. The file must have been sniffed. */
export const findPngExif = (bytes: Uint8Array): Uint8Array | undefined => {
  for (const { type, payload } of pngChunks(bytes)) if (type === 'eXIf') return payload;
  return undefined;
};

/** What the chunks behind the header contain. */
interface PngFacts {
  hasPixels: boolean;
  hasTransparency: boolean;
  orientation?: number;
}

const readFacts = ({ type, payload }: Chunk, found: PngFacts): void => {
  if (type === 'IHDR') throw corruptHeader(FORMAT);
  if (type === 'acTL') {
    throw new UnreadableFile('This is an animated PNG; only still pictures are supported.');
  }
  if (type === 'cICP') requireStandardRange(payload[1], FORMAT);
  if (type === 'eXIf') found.orientation ??= exifOrientation(payload);
  if (type === 'IDAT') found.hasPixels = true;
  if (type === 'tRNS') found.hasTransparency = true;
};

/**
 * Reads a PNG file's chunks.
 *
 * Decoders differ in the checksums that they verify, so all critical ones are verified here: a file is then readable on
 * both hosts or on neither. Compressed data is checked by the decoder.
 *
 * Animations are refused: only the first frame would be searched and redacted, and the others may show persons too.
 *
 * @see https://www.w3.org/TR/png-3/#5DataRep
 */
export const sniffPng = (bytes: Uint8Array): ImageSource => {
  let header: PngHeader | undefined;
  const found: PngFacts = { hasPixels: false, hasTransparency: false };
  for (const chunk of pngChunks(bytes)) {
    if (header) readFacts(chunk, found);
    else header = readHeader(chunk);
  }
  if (!header || !found.hasPixels) throw corruptHeader(FORMAT);
  const hasAlpha = header.hasAlpha || found.hasTransparency;
  return { format: 'png', ...header, orientation: found.orientation ?? 1, hasAlpha };
};
