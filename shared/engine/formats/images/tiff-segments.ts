import { corruptHeader, truncatedFile } from '../../../domain/failure';
import { countStructures, MAX_STRUCTURES } from '../structure-limits';
import { numberOf, numbersOf, type TiffDirectory, type TiffFile, type TiffNumbers } from './tiff-fields';

const FORMAT = 'TIFF';
const TAGS = {
  stripOffsets: 273,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
} as const;
/** A tile larger than 4096 × 4096 pixels would claim memory that the image does not need. */
const MAX_TILE_PIXELS = 2 ** 24;
/** The smallest tile of the format, 16 × 16: smaller ones would be many for few pixels. */
const MIN_TILE_PIXELS = 2 ** 8;
/**
 * How much longer all segments may be than the file: some writers point to one blank tile again and again, about 1,024
 * times 1 kB.
 */
const MAX_REPEATED_BYTES = 2 ** 20;

/** A compressed piece of the image: a strip or a tile. */
export interface TiffSegment {
  /** In the file. */
  readonly start: number;
  readonly end: number;
}

/** Segments that are read from the file's tables when they are asked for: there can be very many. */
export interface TiffSegments {
  readonly length: number;
  /** @throws UnreadableFile where it is not in the file */
  readonly at: (index: number) => TiffSegment;
}

/** The segments' form: strips over the whole width, or tiles. */
export interface TiffGrid {
  readonly isTiled: boolean;
  /** Size of a segment; the last strip may be lower. */
  readonly segmentWidth: number;
  readonly segmentHeight: number;
}

export const readGrid = (page: TiffDirectory, width: number, height: number): TiffGrid => {
  const isTiled = page.fields.has(TAGS.tileOffsets);
  if (!isTiled) {
    const rows = numberOf(page, TAGS.rowsPerStrip) ?? height;
    return { isTiled, segmentWidth: width, segmentHeight: Math.min(Math.max(rows, 1), height) };
  }
  const segmentWidth = numberOf(page, TAGS.tileWidth) ?? 0;
  const segmentHeight = numberOf(page, TAGS.tileHeight) ?? 0;
  const pixels = segmentWidth * segmentHeight;
  const isOnly = segmentWidth >= width && segmentHeight >= height;
  if (pixels === 0 || pixels > MAX_TILE_PIXELS) throw corruptHeader(FORMAT);
  if (pixels < MIN_TILE_PIXELS && !isOnly) throw corruptHeader(FORMAT);
  return { isTiled, segmentWidth, segmentHeight };
};

/** Some old writers leave byte counts out where there is one strip. */
const byteCountsOf = (
  page: TiffDirectory,
  isTiled: boolean,
  offsets: TiffNumbers,
): TiffNumbers | undefined => {
  const counts = numbersOf(page, isTiled ? TAGS.tileByteCounts : TAGS.stripByteCounts);
  const only = offsets.at(0);
  if (counts || offsets.length !== 1 || only === undefined) return counts;
  return { length: 1, at: () => Math.max(0, page.file.bytes.length - only) };
};

const segmentsIn = (
  file: TiffFile,
  offsets: TiffNumbers,
  counts: TiffNumbers | undefined,
  length: number,
): TiffSegments => ({
  length,
  at: (index) => {
    const start = offsets.at(index);
    const bytes = counts?.at(index);
    if (start === undefined || bytes === undefined) throw corruptHeader(FORMAT);
    if (start + bytes > file.bytes.length) throw truncatedFile(FORMAT);
    return { start, end: start + bytes };
  },
});

/** Refuses a file in which a segment lies behind the end, or that would make much out of few bytes. */
const requireWithin = ({ bytes }: TiffFile, segments: TiffSegments): void => {
  let left = bytes.length + MAX_REPEATED_BYTES;
  for (let index = 0; index < segments.length; index += 1) {
    const { start, end } = segments.at(index);
    left -= end - start;
    if (left < 0) throw corruptHeader(FORMAT);
  }
};

/** Where the segments lie. @throws UnreadableFile where one is not in the file */
export const readSegments = (page: TiffDirectory, isTiled: boolean, count: number): TiffSegments => {
  const offsets = numbersOf(page, isTiled ? TAGS.tileOffsets : TAGS.stripOffsets);
  if (!offsets || offsets.length < count) throw corruptHeader(FORMAT);
  countStructures('tiff', MAX_STRUCTURES.tiffSegments)(count);
  const segments = segmentsIn(page.file, offsets, byteCountsOf(page, isTiled, offsets), count);
  requireWithin(page.file, segments);
  return segments;
};
