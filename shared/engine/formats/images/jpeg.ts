import type { FileRange, MetadataKind } from '../../../domain/image-header';
import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/failure';
import { hasCharacters, viewOf } from '../bytes';
import { EXIF_PREFIX } from '../exif';
import { rangeOf, takeXmp, type FoundExif, type HeaderNotes, type HeaderReader } from '../header-reader';
import { countStructures } from '../structure-limits';
import { JPEG_XMP_PREFIX } from '../xmp';

const FORMAT = 'JPEG';
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const TEM = 0x01;
/** Baseline, extended and progressive Huffman: all decoders support these. */
const SUPPORTED_FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** Maximum number of scans: each takes a pass over all pixels of a progressive image; encoders write about ten. */
const MAX_SCANS = 500;

export interface JpegSegment {
  readonly marker: number;
  /** Without marker and length. */
  readonly payload: Uint8Array;
  /** Offset from which the next marker is searched. */
  readonly end: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
}

/** The range of frame markers also contains C4 (Huffman tables), C8 (reserved) and CC (arithmetic tables). */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
const hasNoPayload = (marker: number): boolean => marker === TEM || marker === EOI || isRestart(marker);

/**
 * The next marker at or after `from`, as libjpeg finds it: stray bytes and fill bytes are skipped.
 *
 * @returns the offset of the marker's code, after its 0xff
 */
const findMarker = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) throw truncatedFile(FORMAT);
    while (bytes[at] === 0xff) at++;
    if (at >= bytes.length) throw truncatedFile(FORMAT);
    if (bytes[at] !== 0) return at;
  }
};

export const readSegment = (bytes: Uint8Array, from: number): JpegSegment => {
  const at = findMarker(bytes, from);
  const marker = bytes[at] ?? 0;
  const start = at + 1;
  if (marker === SOI || (marker > TEM && marker < 0xc0)) throw corruptHeader(FORMAT);
  if (hasNoPayload(marker)) return { marker, payload: bytes.subarray(start, start), end: start };
  if (start + 2 > bytes.length) throw truncatedFile(FORMAT);
  const length = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
  if (length < 2) throw corruptHeader(FORMAT);
  const end = start + length;
  if (end > bytes.length) throw truncatedFile(FORMAT);
  return { marker, payload: bytes.subarray(start + 2, end), end };
};

/** The end of entropy-coded data: the offset of the first marker that is no restart marker. */
export const skipScan = (bytes: Uint8Array, from: number): number => {
  let at = findMarker(bytes, from);
  while (isRestart(bytes[at] ?? 0)) at = findMarker(bytes, at + 1);
  return at - 1;
};

const readFrame = ({ marker, payload }: JpegSegment): Frame => {
  if (payload.length < 6) throw corruptHeader(FORMAT);
  if (!SUPPORTED_FRAMES.includes(marker) || payload[0] !== 8) {
    throw new UnreadableFile(
      'This JPEG file is lossless, arithmetic-coded or has more than 8 bits a sample; baseline and progressive JPEG with 8 bits are supported.',
    );
  }
  const view = viewOf(payload);
  return { height: view.getUint16(1), width: view.getUint16(3) };
};

/** Kinds of segments by marker and first characters; the first match counts. */
const KINDS: readonly (readonly [marker: number, start: string, kind?: MetadataKind])[] = [
  [0xe0, 'JFIF\0'],
  [0xe0, 'JFXX\0', 'thumbnail'],
  // An XML name space, which is never requested. Continuations of XMP are never read.
  [0xe1, 'http://ns.adobe.com/', 'xmp'],
  [0xe2, 'ICC_PROFILE\0', 'colour-profile'],
  [0xe2, 'MPF\0', 'other-pictures'],
  [0xed, 'Photoshop', 'iptc'],
  [0xee, 'Adobe'],
  [0xfe, '', 'text'],
];

const noteSegment = ({ marker, payload }: JpegSegment, { note }: HeaderNotes): void => {
  const known = KINDS.find(([ofMarker, start]) => marker === ofMarker && hasCharacters(payload, 0, start));
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  const kind = known ? known[2] : isApplication ? 'other' : undefined;
  if (kind) note(kind);
};

/** What the segments read so far contain. */
interface Found {
  frame?: Frame;
  exif?: FoundExif;
  xmp?: readonly FileRange[];
  scans: number;
}

const readFacts = (bytes: Uint8Array, segment: JpegSegment, found: Found, notes: HeaderNotes): void => {
  const { marker, payload } = segment;
  if (isFrame(marker)) {
    // A second frame header could claim another size than the one that limits are applied to.
    if (found.frame) throw corruptHeader(FORMAT);
    found.frame = readFrame(segment);
  } else if (marker === SOS) {
    found.scans += 1;
    if (!found.frame || found.scans > MAX_SCANS) throw corruptHeader(FORMAT);
  } else if (marker === APP1 && hasCharacters(payload, 0, EXIF_PREFIX)) {
    const exif = payload.subarray(EXIF_PREFIX.length);
    const orientation = notes.noteExif(exif);
    // Behind the first scan, it turns the image, but no camera writes it there.
    found.exif ??= { orientation, exif: found.scans === 0 ? [rangeOf(bytes, exif)] : [] };
  } else if (marker === APP1 && hasCharacters(payload, 0, JPEG_XMP_PREFIX)) {
    takeXmp(bytes, payload.subarray(JPEG_XMP_PREFIX.length), found, notes);
  } else noteSegment(segment, notes);
};

/**
 * Reads a JPEG file's segments up to the end of its first image.
 *
 * The end-of-image marker is required: decoders show the missing part of a truncated file as grey, which could be
 * mistaken for a redacted area. Bytes after it (previews, gain maps, a phone's motion clip) are never read.
 *
 * @see ITU-T T.81, annex B
 */
export const readJpeg: HeaderReader = (bytes, notes) => {
  const count = countStructures('jpeg');
  const found: Found = { scans: 0 };
  let segment = readSegment(bytes, 2);
  while (segment.marker !== EOI) {
    count();
    readFacts(bytes, segment, found, notes);
    segment = readSegment(bytes, segment.marker === SOS ? skipScan(bytes, segment.end) : segment.end);
  }
  if (segment.end < bytes.length) notes.note('trailer');
  if (!found.frame || found.scans === 0) throw corruptHeader(FORMAT);
  const { frame, exif, xmp } = found;
  return { format: 'jpeg', ...frame, orientation: 1, hasAlpha: false, ...exif, ...(xmp && { xmp }) };
};
