import { hasCharacters } from '../bytes';
import type { ImageSource } from '../../../domain/image-source';
import { corruptHeader, truncatedFile } from '../../../domain/unreadable-file';
import { fourCharacters } from '../bytes';
import { countStructures } from '../structure-limits';
import { animation } from './animation';
import { exifOrientation } from './exif-orientation';

const FORMAT = 'WebP';
const EXIF_PREFIX = 'Exif\0\0';
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Flags of a `VP8X` chunk. */
const ALPHA_FLAG = 0x10;
const EXTENDED_BYTES = 10;
const LOSSY_START = '\x9d\x01\x2a';
const LOSSLESS_START = 0x2f;

/** A chunk of a WebP file: its content lies from `start` to `end` in the file. */
export interface WebpChunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

type Canvas = Pick<ImageSource, 'width' | 'height' | 'hasAlpha'>;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * The chunks of a WebP file, in order. Bytes behind the end that the file states are ignored.
 *
 * @throws UnreadableFile where a chunk is cut off
 */
export function* webpChunks(bytes: Uint8Array): Generator<WebpChunk> {
  const view = viewOf(bytes);
  if (bytes.length < RIFF_HEADER_BYTES) throw truncatedFile(FORMAT);
  const fileEnd = CHUNK_HEADER_BYTES + view.getUint32(4, true);
  if (fileEnd > bytes.length) throw truncatedFile(FORMAT);
  const count = countStructures('webp');
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= fileEnd;) {
    const type = fourCharacters(bytes, at);
    const start = at + CHUNK_HEADER_BYTES;
    const end = start + view.getUint32(at + 4, true);
    if (end > fileEnd) throw truncatedFile(FORMAT);
    count();
    yield { type, start, end };
    at = end + (end % 2); // Chunks begin at even offsets.
  }
}

const uint24 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

const readExtended = (content: Uint8Array): Canvas => {
  if (content.length < EXTENDED_BYTES) throw corruptHeader(FORMAT);
  return {
    width: 1 + uint24(content, 4),
    height: 1 + uint24(content, 7),
    hasAlpha: ((content[0] ?? 0) & ALPHA_FLAG) !== 0,
  };
};

/** The size in the header of a key frame. @see RFC 6386, 9.1 */
const readLossy = (content: Uint8Array): Canvas => {
  const isKeyFrame = ((content[0] ?? 1) & 1) === 0;
  if (content.length < 10 || !isKeyFrame || !hasCharacters(content, 3, LOSSY_START)) {
    throw corruptHeader(FORMAT);
  }
  const view = viewOf(content);
  return {
    width: view.getUint16(6, true) & 0x3fff,
    height: view.getUint16(8, true) & 0x3fff,
    hasAlpha: false,
  };
};

/** 14 bits for each side less one, then one for transparency. @see RFC 9649, 3.4 */
const readLossless = (content: Uint8Array): Canvas => {
  if (content.length < 5 || content[0] !== LOSSLESS_START) throw corruptHeader(FORMAT);
  const bits = viewOf(content).getUint32(1, true);
  return {
    width: 1 + (bits & 0x3fff),
    height: 1 + ((bits >>> 14) & 0x3fff),
    hasAlpha: ((bits >>> 28) & 1) === 1,
  };
};

/** What the chunks read so far contain. */
interface Findings {
  canvas?: Canvas;
  picture?: Canvas;
  orientation?: number;
  frames: number;
}

const takeNote = ({ type }: WebpChunk, content: Uint8Array, found: Findings): void => {
  if (type === 'VP8X') found.canvas ??= readExtended(content);
  // Decoders read the first picture; a later one cannot change the size.
  else if (type === 'VP8 ') found.picture ??= readLossy(content);
  else if (type === 'VP8L') found.picture ??= readLossless(content);
  else if (type === 'ANMF') found.frames += 1;
  else if (type === 'EXIF') found.orientation ??= exifOrientation(withoutExifPrefix(content));
};

/** Some writers put JPEG's prefix before the TIFF structure. */
const withoutExifPrefix = (content: Uint8Array): Uint8Array =>
  hasCharacters(content, 0, EXIF_PREFIX) ? content.subarray(EXIF_PREFIX.length) : content;

const canvasOf = ({ canvas, picture, frames }: Findings): Canvas => {
  if (!picture) {
    if (canvas && frames === 1) return canvas;
    throw corruptHeader(FORMAT);
  }
  if (!canvas) return picture;
  if (canvas.width !== picture.width || canvas.height !== picture.height) throw corruptHeader(FORMAT);
  return { ...canvas, hasAlpha: canvas.hasAlpha || picture.hasAlpha };
};

/** The TIFF structure of a sniffed file's EXIF chunk: the first one, which the orientation is read from, too. */
export const findWebpExif = (bytes: Uint8Array): Uint8Array | undefined => {
  for (const { type, start, end } of webpChunks(bytes)) {
    if (type === 'EXIF') return withoutExifPrefix(bytes.subarray(start, end));
  }
  return undefined;
};

/** The file with other names for its EXIF chunks: readers skip chunks that they do not know. */
export const withoutWebpExif = (bytes: Uint8Array): Uint8Array => {
  const copy = bytes.slice();
  for (const { type, start } of webpChunks(bytes)) {
    if (type === 'EXIF') copy.fill('x'.charCodeAt(0), start - CHUNK_HEADER_BYTES, start - 4);
  }
  return copy;
};

/**
 * Walks a WebP file's chunks.
 *
 * An animation is refused: only its first frame would be searched, and the others show people as well.
 *
 * @see RFC 9649
 */
export const sniffWebp = (bytes: Uint8Array): ImageSource => {
  const found: Findings = { frames: 0 };
  for (const chunk of webpChunks(bytes)) takeNote(chunk, bytes.subarray(chunk.start, chunk.end), found);
  if (found.frames > 1) throw animation('an animated WebP', found.frames);
  return { format: 'webp', ...canvasOf(found), orientation: found.orientation ?? 1 };
};
