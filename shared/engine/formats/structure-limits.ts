import { tooManyParts } from '../../domain/unreadable-file';

/**
 * How many structures of one image file are read at most: segments, chunks, blocks, boxes, fields, items.
 *
 * A structure of a few bytes costs the reader an object or a step: without a limit, a small file keeps the thread busy
 * or fills the memory. Each limit is some times what the largest file of a camera, scanner or editor has.
 */
export const MAX_STRUCTURES = {
  /** Segments, and markers without content. 256 MB of segments of 64 kB are 4,096. */
  jpeg: 16_384,
  /** Chunks. Writers cut pixels into chunks of 8 kB and more: 32,768 in 256 MB. */
  png: 65_536,
  /** Chunks; an animation, whose frames the refusal counts, has one for each frame. */
  webp: 16_384,
  /** Images and extensions; an animation, whose frames the refusal counts, has two or three for each frame. */
  gif: 65_536,
  /**
   * Boxes, items, extents, references and properties of items. libheif reads 1,000 items, which have about 12,000 in the
   * grid of a phone.
   */
  heif: 32_768,
  /** Directories: the page, and smaller copies of it. More pages than these are refused without their number. */
  tiffDirectories: 4_096,
  /** Fields of all directories; each has about 20. */
  tiffFields: 65_536,
  /** Strips or tiles of a TIFF page: 65,535 rows of four samples that lie apart, or 2^27 pixels in tiles of 32 × 16. */
  tiffSegments: 2 ** 18,
  /** Fields of one EXIF directory; cameras write about 60, and later ones are ignored. */
  exif: 4_096,
  /** EXIF blocks of one file; cameras write one, and later ones are not looked into. */
  exifBlocks: 64,
} as const;

/** Counts structures that are about to be read. @throws UnreadableFile above the limit */
export type CountStructures = (count?: number) => void;

/**
 * Starts to count the structures of a file.
 *
 * @param name of the format, as sentences call it
 * @param limit where it is lower than the format's
 */
export const countStructures = (
  format: keyof typeof MAX_STRUCTURES,
  name: string,
  limit = Number.POSITIVE_INFINITY,
): CountStructures => {
  let left = Math.min(MAX_STRUCTURES[format], limit);
  return (count = 1) => {
    left -= count;
    if (left < 0) throw tooManyParts(name);
  };
};
