import type { FileRange, MetadataKind } from '../../../domain/image-header';
import type { Size } from '../../../domain/raster';
import { animatedFile, corruptHeader, truncatedFile } from '../../../domain/failure';
import { fourCharacters, hasCharacters, viewOf } from '../bytes';
import {
  type FoundExif,
  type HeaderNotes,
  type HeaderReader,
  rangeOf,
  takeXmp,
  withoutExifPrefix,
} from '../header-reader';
import { countStructures } from '../structure-limits';

const FORMAT = 'WebP';
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Flags of a `VP8X` chunk. */
const ALPHA_FLAG = 0x10;
const EXTENDED_BYTES = 10;
const LOSSY_START = '\x9d\x01\x2a';
const LOSSLESS_START = 0x2f;

/** A chunk of a WebP file: its content lies from `start` to `end` in the file. */
interface WebpChunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

type Canvas = Size & { readonly hasAlpha: boolean };

/**
 * The chunks of a WebP file, in order. Bytes behind the end that the file states are ignored.
 *
 * @throws UnreadableFile where a chunk is cut off
 */
function* webpChunks(bytes: Uint8Array): Generator<WebpChunk> {
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

const KINDS: Readonly<Record<string, MetadataKind>> = { ICCP: 'colour-profile' };
const DISPLAY: readonly string[] = ['ALPH', 'ANIM'];

/** What the chunks read so far contain. */
interface Found {
  canvas?: Canvas;
  image?: Canvas;
  exif?: FoundExif;
  xmp?: readonly FileRange[];
  frames: number;
}

const readDescription = (
  bytes: Uint8Array,
  { type, start, end }: WebpChunk,
  found: Found,
  notes: HeaderNotes,
): void => {
  const content = bytes.subarray(start, end);
  if (type === 'EXIF') {
    // Some writers put JPEG's prefix before the TIFF structure.
    const exif = withoutExifPrefix(content);
    const orientation = notes.noteExif(exif);
    found.exif ??= { orientation, exif: [rangeOf(bytes, exif)] };
  } else if (type === 'XMP ') takeXmp(bytes, content, found, notes);
  else if (!DISPLAY.includes(type)) notes.note(KINDS[type] ?? 'other');
};

const readFacts = (bytes: Uint8Array, chunk: WebpChunk, found: Found, notes: HeaderNotes): void => {
  const { type, start, end } = chunk;
  const content = bytes.subarray(start, end);
  if (type === 'VP8X') found.canvas ??= readExtended(content);
  // Decoders read the first image; a later one cannot change the size.
  else if (type === 'VP8 ') found.image ??= readLossy(content);
  else if (type === 'VP8L') found.image ??= readLossless(content);
  else if (type === 'ANMF') found.frames += 1;
  else readDescription(bytes, chunk, found, notes);
};

const canvasOf = ({ canvas, image, frames }: Found): Canvas => {
  if (!image) {
    if (canvas && frames === 1) return canvas;
    throw corruptHeader(FORMAT);
  }
  if (!canvas) return image;
  if (canvas.width !== image.width || canvas.height !== image.height) throw corruptHeader(FORMAT);
  return { ...canvas, hasAlpha: canvas.hasAlpha || image.hasAlpha };
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
export const readWebp: HeaderReader = (bytes, notes) => {
  const found: Found = { frames: 0 };
  for (const chunk of webpChunks(bytes)) readFacts(bytes, chunk, found, notes);
  if (CHUNK_HEADER_BYTES + viewOf(bytes).getUint32(4, true) < bytes.length) notes.note('trailer');
  if (found.frames > 1) throw animatedFile('an animated WebP', found.frames);
  const { exif, xmp } = found;
  return { format: 'webp', orientation: 1, ...canvasOf(found), ...exif, ...(xmp && { xmp }) };
};
