import { isVideoFormat } from '../../catalogue/formats';
import { recogniseFormat } from './recognise';
import { hasCharacters } from './bytes';
import { UnreadableFile } from '../../domain/unreadable-file';
import { exifEntries, firstDirectory, nextDirectory, openExif, type ExifBlock } from './exif-directory';
import { METADATA_KINDS, type MetadataKind } from '../../domain/metadata-kind';
import { fourCharacters } from './bytes';
import type { MetadataNotes } from './images/find-metadata';
import { countStructures, MAX_STRUCTURES } from './structure-limits';

type Note = (kind: MetadataKind) => void;

const EXIF_POINTER = 0x8769;
const GPS_POINTER = 0x8825;
const MAKER_NOTE = 0x927c;

/** Wanted tags that a directory has, with their values as numbers. @throws RangeError where it is cut off */
const findTags = (
  tiff: ExifBlock,
  at: number,
  wanted: readonly number[],
): { tags: Map<number, number>; next: number } => {
  const tags = new Map<number, number>();
  for (const entry of exifEntries(tiff, at)) {
    const tag = tiff.view.getUint16(entry, tiff.littleEndian);
    if (wanted.includes(tag)) tags.set(tag, tiff.view.getUint32(entry + 8, tiff.littleEndian));
  }
  return { tags, next: nextDirectory(tiff, at) };
};

const noteExif = (exif: Uint8Array, note: Note): void => {
  note('exif');
  const tiff = openExif(exif);
  if (!tiff) return;
  try {
    const { tags, next } = findTags(tiff, firstDirectory(tiff), [EXIF_POINTER, GPS_POINTER]);
    if (tags.has(GPS_POINTER)) note('place');
    if (next !== 0) note('thumbnail');
    const linked = tags.get(EXIF_POINTER);
    if (linked !== undefined && findTags(tiff, linked, [MAKER_NOTE]).tags.has(MAKER_NOTE)) {
      note('maker-notes');
    }
  } catch (error) {
    // An offset points outside of the structure: the kinds found so far are reported.
    if (!(error instanceof RangeError)) throw error;
  }
};

const EXIF_PREFIX = 'Exif\0\0';
/** Kinds of segments by marker and first characters; the first match counts. */
const JPEG_SEGMENTS: readonly (readonly [marker: number, start: string, kind: MetadataKind | null])[] = [
  [0xe0, 'JFIF\0', null],
  [0xe0, 'JFXX\0', 'thumbnail'],
  [0xe1, 'http://ns.adobe.com/', 'xmp'],
  [0xe2, 'ICC_PROFILE\0', 'colour-profile'],
  [0xe2, 'MPF\0', 'other-pictures'],
  [0xed, 'Photoshop', 'iptc'],
  [0xee, 'Adobe', null],
  [0xfe, '', 'text'],
];
const SOS = 0xda;
const EOI = 0xd9;

const noteJpegSegment = (marker: number, payload: Uint8Array, { note, noteExif }: MetadataNotes): void => {
  if (marker === 0xe1 && hasCharacters(payload, 0, EXIF_PREFIX)) {
    return noteExif(payload.subarray(EXIF_PREFIX.length));
  }
  const known = JPEG_SEGMENTS.find(
    ([ofMarker, start]) => marker === ofMarker && hasCharacters(payload, 0, start),
  );
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  const kind = known ? known[2] : isApplication ? 'other' : null;
  if (kind) note(kind);
};

/** Offset of the marker that ends entropy-coded data: the first that is neither stuffing nor a restart marker. */
const skipScan = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
};

const walkJpeg = (bytes: Uint8Array, notes: MetadataNotes): void => {
  const count = countStructures('jpeg');
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) break;
    count();
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    noteJpegSegment(marker, bytes.subarray(at + 4, at + 2 + length), notes);
    at = marker === SOS ? skipScan(bytes, at + 2 + length) : at + 2 + Math.max(2, length);
  }
  if (at + 2 < bytes.length) notes.note('trailer');
};

const PNG_SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD_BYTES = 12;
const XMP_KEYWORD = 'XML:com.adobe.xmp';
const PNG_CHUNKS: Readonly<Record<string, MetadataKind>> = {
  tEXt: 'text',
  zTXt: 'text',
  iTXt: 'text',
  tIME: 'time',
  iCCP: 'colour-profile',
};
/** Chunks that are needed to show the image, or contain only display settings. */
const PNG_DISPLAY = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD hIST pHYs sPLT cICP mDCV cLLI'.split(' '),
);

const notePngChunk = (type: string, payload: Uint8Array, { note, noteExif }: MetadataNotes): void => {
  if (type === 'eXIf') return noteExif(payload);
  if (type === 'iTXt' && hasCharacters(payload, 0, XMP_KEYWORD)) return note('xmp');
  if (!PNG_DISPLAY.has(type)) note(PNG_CHUNKS[type] ?? 'other');
};

const walkPng = (bytes: Uint8Array, notes: MetadataNotes): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = countStructures('png');
  let at = PNG_SIGNATURE_BYTES;
  let type = '';
  while (type !== 'IEND' && at + CHUNK_OVERHEAD_BYTES <= bytes.length) {
    count();
    const length = view.getUint32(at);
    type = fourCharacters(bytes, at + 4);
    notePngChunk(type, bytes.subarray(at + 8, at + 8 + length), notes);
    at += CHUNK_OVERHEAD_BYTES + length;
  }
  if (at < bytes.length) notes.note('trailer');
};

/**
 * Lists the kinds of metadata in an image file. None of them is in the result, which is made from pixels alone.
 *
 * The list is shown to the user; nothing depends on it. A damaged file is read up to the damage.
 */
export const findSourceMetadata = async (bytes: Uint8Array): Promise<readonly MetadataKind[]> => {
  const found = new Set<MetadataKind>();
  const note: Note = (kind) => void found.add(kind);
  let exifBlocks = 0;
  const notes: MetadataNotes = {
    note,
    noteExif: (exif) => {
      exifBlocks += 1;
      if (exifBlocks <= MAX_STRUCTURES.exifBlocks) noteExif(exif, note);
    },
  };
  try {
    const format = recogniseFormat(bytes);
    if (format === 'jpeg') walkJpeg(bytes, notes);
    else if (format === 'png') walkPng(bytes, notes);
    else if (format && !isVideoFormat(format)) {
      (await import('./images/find-metadata')).noteOtherFormat(bytes, format, notes);
    }
  } catch (error) {
    // What was noted so far is all that can be said.
    if (!(error instanceof RangeError) && !(error instanceof UnreadableFile)) throw error;
  }
  return METADATA_KINDS.filter((kind) => found.has(kind));
};
