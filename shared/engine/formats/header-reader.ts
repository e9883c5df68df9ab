import { HDR_PRIMARIES, hdrTransferOf } from '../../domain/hdr';
import type { FileRange, ImageHeader, MetadataKind } from '../../domain/image-header';
import type { Size } from '../../domain/raster';
import { EXIF_PREFIX, readExif } from './exif';
import { hasCharacters, joinBytes } from './bytes';
import { UnreadableFile } from '../../domain/failure';
import { readXmp } from './xmp';

/**
 * Refuses images in high dynamic range whose colours would be guessed.
 *
 * @param name of the format
 * @throws UnreadableFile
 */
export const requireKnownColours = (
  {
    primaries,
    transfer,
  }: { readonly primaries?: number | undefined; readonly transfer?: number | undefined },
  name: string,
): void => {
  if (!hdrTransferOf(transfer) || HDR_PRIMARIES.includes(primaries ?? -1)) return;
  throw new UnreadableFile(
    `This ${name} image is in high dynamic range, but does not state its primaries, or unusual ones; convert it to standard range first.`,
  );
};

/** EXIF blocks of one file that are looked into; cameras write one. */
const MAX_EXIF_BLOCKS = 64;

/**
 * Takes what a reader finds next to the facts. Noting never throws: the list is shown to the user, and nothing depends
 * on it.
 */
export interface HeaderNotes {
  note(kind: MetadataKind): void;
  /** Looks into EXIF. @returns its orientation, 1..8 */
  noteExif(exif: Uint8Array): number;
  /** Looks into a packet of XMP for what would be kept of it. */
  noteXmp(packet: Uint8Array): void;
}

export const createNotes = (note: HeaderNotes['note']): HeaderNotes => {
  let left = MAX_EXIF_BLOCKS;
  return {
    note,
    noteExif: (exif) => (left-- > 0 ? readExif(exif, note) : 1),
    noteXmp: (packet) => {
      note('xmp');
      for (const { kind } of readXmp(packet)) note(kind);
    },
  };
};

/** For readers of a file whose metadata is not asked for. */
export const NO_NOTES: HeaderNotes = {
  note: () => undefined,
  noteExif: () => 1,
  noteXmp: () => undefined,
};

/** Facts of a header: what the rest of the product depends on. */
export type HeaderFacts = Omit<ImageHeader, 'metadata'>;

/**
 * Reads a file's header in one pass.
 *
 * @param checkSize for formats whose headers have tables that grow with the claimed size; throws UnreadableFile
 * @throws UnreadableFile where a fact is missing or impossible
 */
export type HeaderReader = (
  bytes: Uint8Array,
  notes: HeaderNotes,
  checkSize: (claim: Size) => void,
) => HeaderFacts;

/** Where a part of a file lies in it. */
export const rangeOf = (bytes: Uint8Array, part: Uint8Array): FileRange => {
  const start = part.byteOffset - bytes.byteOffset;
  return [start, start + part.byteLength];
};

export const withoutExifPrefix = (content: Uint8Array): Uint8Array =>
  hasCharacters(content, 0, EXIF_PREFIX) ? content.subarray(EXIF_PREFIX.length) : content;

/** The first EXIF of a file. */
export interface FoundExif {
  readonly orientation: number;
  readonly exif: readonly FileRange[];
}

/** Takes the first packet of XMP of a file; others are only noted. */
export const takeXmp = (
  bytes: Uint8Array,
  packet: Uint8Array,
  found: { xmp?: readonly FileRange[] },
  notes: HeaderNotes,
): void => {
  if (found.xmp) notes.note('xmp');
  else notes.noteXmp(packet);
  found.xmp ??= [rangeOf(bytes, packet)];
};

/** The bytes of ranges, one after another; no copy where there is one. */
export const bytesAt = (bytes: Uint8Array, ranges: readonly FileRange[]): Uint8Array => {
  const [only] = ranges;
  if (only && ranges.length === 1) return bytes.subarray(...only);
  return joinBytes(ranges.map(([start, end]) => bytes.subarray(start, end)));
};
