import type { ColourDescription, FileRange, MetadataKind } from '../../../domain/image-header';
import type { Size } from '../../../domain/raster';
import { animatedFile, corruptHeader, damagedImage, truncatedFile } from '../../../domain/failure';
import { fourCharacters, hasCharacters, viewOf, crc32 } from '../bytes';
import {
  type FoundExif,
  type HeaderNotes,
  type HeaderReader,
  rangeOf,
  requireKnownColours,
  takeXmp,
} from '../header-reader';
import { countStructures } from '../structure-limits';
import { PNG_XMP_PREFIX } from '../xmp';

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
  const view = viewOf(bytes);
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

type PngHeader = Size & { readonly hasAlpha: boolean };

const readHeader = ({ type, payload }: Chunk): PngHeader => {
  if (type !== 'IHDR' || payload.length !== HEADER_BYTES) throw corruptHeader(FORMAT);
  const [bitDepth = 0, colourType = -1, compression, filter, interlace = 2] = payload.subarray(8);
  if (!BIT_DEPTHS[colourType]?.includes(bitDepth)) throw corruptHeader(FORMAT);
  if (compression !== 0 || filter !== 0 || interlace > 1) throw corruptHeader(FORMAT);
  const view = viewOf(payload);
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    hasAlpha: ALPHA_TYPES.includes(colourType),
  };
};

const KINDS: Readonly<Record<string, MetadataKind>> = {
  ...{ tEXt: 'text', zTXt: 'text', iTXt: 'text', tIME: 'time', iCCP: 'colour-profile' },
};
const XMP_KEYWORD = 'XML:com.adobe.xmp';
/** Chunks that are needed to show the image, or contain only display settings. */
const DISPLAY = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD hIST pHYs sPLT cICP mDCV cLLI'.split(' '),
);

const noteChunk = (
  bytes: Uint8Array,
  { type, payload }: Chunk,
  found: Pick<Found, 'xmp'>,
  notes: HeaderNotes,
): void => {
  const isXmp = type === 'iTXt' && hasCharacters(payload, 0, XMP_KEYWORD);
  if (isXmp && hasCharacters(payload, 0, PNG_XMP_PREFIX)) {
    takeXmp(bytes, payload.subarray(PNG_XMP_PREFIX.length), found, notes);
  } else if (isXmp) notes.note('xmp');
  else if (!DISPLAY.has(type)) notes.note(KINDS[type] ?? 'other');
};

/** Chunks that describe colours. */
const COLOUR_CHUNKS: readonly string[] = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];

/** What the chunks behind the header contain. */
interface Found {
  hasPixels: boolean;
  hasTransparency: boolean;
  exif?: FoundExif;
  xmp?: readonly FileRange[];
  /** The first of each that describes colours, before the pixels. */
  readonly colours: Map<string, Uint8Array>;
}

const readFacts = (bytes: Uint8Array, chunk: Chunk, found: Found, notes: HeaderNotes): void => {
  const { type, payload } = chunk;
  if (type === 'eXIf') {
    const orientation = notes.noteExif(payload);
    found.exif ??= { orientation, exif: [rangeOf(bytes, payload)] };
    return;
  }
  noteChunk(bytes, chunk, found, notes);
  if (type === 'IHDR') throw corruptHeader(FORMAT);
  if (type === 'acTL') throw animatedFile('an animated PNG');
  if (type === 'cICP') requireKnownColours({ primaries: payload[0], transfer: payload[1] }, FORMAT);
  if (type === 'IDAT') found.hasPixels = true;
  if (type === 'tRNS') found.hasTransparency = true;
  const describesColours = !found.hasPixels && COLOUR_CHUNKS.includes(type);
  if (describesColours && !found.colours.has(type)) found.colours.set(type, payload);
};

const CHROMATICITIES = 8;

const gammaOf = (colours: Found['colours']): ColourDescription | undefined => {
  const [gamma, stated] = [colours.get('gAMA'), colours.get('cHRM')];
  if (gamma?.length !== 4 || (stated && stated.length !== 4 * CHROMATICITIES)) return undefined;
  const chromaticities =
    stated && Array.from({ length: CHROMATICITIES }, (_, i) => viewOf(stated).getUint32(4 * i));
  return { gamma: viewOf(gamma).getUint32(0), ...(chromaticities && { chromaticities }) };
};

/**
 * The colours of a file as browsers read them: `cICP` before `sRGB` before `gAMA` with `cHRM`. Without `gAMA`, `cHRM`
 * counts for nothing.
 *
 * @returns undefined where the colours are sRGB's, or an ICC profile describes them
 * @see https://www.w3.org/TR/png-3/#4Concepts.ColourSpaces
 */
const colourOf = (colours: Found['colours']): ColourDescription | undefined => {
  const [primaries, transfer, , , ...more] = colours.get('cICP') ?? [];
  if (primaries !== undefined && transfer !== undefined && more.length === 0) return { primaries, transfer };
  return colours.has('iCCP') || colours.has('sRGB') ? undefined : gammaOf(colours);
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
export const readPng: HeaderReader = (bytes, notes) => {
  const count = countStructures('png');
  const found: Found = { hasPixels: false, hasTransparency: false, colours: new Map() };
  let chunk = readChunk(bytes, SIGNATURE_BYTES);
  count();
  const header = readHeader(chunk);
  for (chunk = readChunk(bytes, chunk.end); chunk.type !== 'IEND'; chunk = readChunk(bytes, chunk.end)) {
    count();
    readFacts(bytes, chunk, found, notes);
  }
  if (chunk.end < bytes.length) notes.note('trailer');
  if (!found.hasPixels) throw corruptHeader(FORMAT);
  const colour = colourOf(found.colours);
  return {
    ...{ format: 'png', orientation: 1, ...header, ...found.exif, ...(colour && { colour }) },
    ...(found.xmp && { xmp: found.xmp }),
    hasAlpha: header.hasAlpha || found.hasTransparency,
  };
};
