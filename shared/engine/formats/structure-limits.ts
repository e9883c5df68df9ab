import { FORMATS, type ImageSourceFormat } from '../../catalogue/formats';
import { tooManyParts } from '../../domain/failure';

/**
 * Limits on the structures of a video, apart from its frames. Everything beyond them is refused by one sentence.
 *
 * Each is far above what cameras, phones, editors and streaming services write, and low enough that a file of 1 MB
 * takes a fraction of a second and little memory, in the readers here and in the demuxer behind them. Where a long video
 * needs many structures, their number is limited by the bytes of the file: it may not claim more than it contains.
 */
export const MP4_LIMITS = {
  /** Bytes of an index: about ten hours of video. Parsing takes several times this size in memory. */
  indexBytes: 64 * 1024 ** 2,
  /** Levels of boxes in one another; a sample table is at the sixth. */
  depth: 10,
  /** Tracks, before the limit for tracks that are read. */
  tracks: 256,
  /** Edits of a track: each frame is compared with them. */
  edits: 1_000,
  /** Top-level boxes: a day of fragments of half a second, with mostly two boxes each. */
  topBoxes: 400_000,
  /** Top-level boxes without a relation to the bytes of the file, and mean bytes of a box above that. */
  freeTopBoxes: 1_000,
  topBoxMeanBytes: 48,
  /** Fragments without a relation to the bytes of the file … */
  fragments: 1_000,
  /** … and mean bytes of a fragment with its media above that: one frame of a screen that stands still. */
  fragmentBytes: 128,
  /** Boxes in one fragment: each track may have many runs. */
  fragmentBoxes: 10_000,
  /** Samples in all fragments: a day of video and audio. */
  fragmentSamples: 2 ** 24,
  /** Least bytes of a frame: its size in the tables, or its data if all have the same size. */
  sampleBytes: 4,
  /**
   * Additions that the demuxer needs for the positions of samples in their chunks, which it counts from the start of the
   * chunk for each sample: a part that each file may take, and a part for each of its bytes.
   */
  chunkSteps: 2 ** 24,
  chunkStepsPerByte: 16,
} as const;

export const MATROSKA_LIMITS = {
  /** Bytes of the header in front of the segment: mostly 40. */
  headerBytes: 4_096,
  /** Bytes of a part that the demuxer reads as a whole: attachments may be large. */
  partBytes: 64 * 1024 ** 2,
  clusterBytes: 256 * 1024 ** 2,
  /** Seek heads and cues: files have one or two of each. */
  positionParts: 16,
  /** Parts that are no clusters, and clusters without a block. */
  otherParts: 1_000,
  /** Levels of elements in one another; tags contain tags. */
  depth: 10,
  tracks: 256,
  /** Steps by which the content of a track is coded: mostly one, which adds the same first bytes to each block. */
  codingSteps: 4,
  /** Bytes that such a step adds to each block. */
  codingBytes: 64,
  /** Clusters without a relation to the bytes of the file, and mean bytes of a cluster above that. */
  clusters: 1_000,
  clusterMeanBytes: 256,
  /** Elements of clusters next to two for each block: a time, a size, a position, a check sum. */
  clusterElements: 8,
  /** Blocks and frames of a cluster in which blocks contain several frames: the demuxer inserts each into a list. */
  lacedFrames: 20_000,
  /** Elements in the clusters of a file. */
  elements: 10_000_000,
} as const;

/** Limits next to `maxStructures` of the format. */
export const MAX_STRUCTURES = {
  /** Directories: the page, and smaller copies of it. More pages than these are refused without their number. */
  tiffDirectories: 4_096,
  /** Strips or tiles of a TIFF page: 65,535 rows of four samples that lie apart, or 2^27 pixels in tiles of 32 × 16. */
  tiffSegments: 2 ** 18,
} as const;

/** Counts structures that are about to be read. @throws UnreadableFile above the limit */
export type CountStructures = (count?: number) => void;

/** Formats with a limit in the table. */
type CountedFormat = {
  [Name in ImageSourceFormat]: (typeof FORMATS)[Name] extends { readonly maxStructures: number }
    ? Name
    : never;
}[ImageSourceFormat];

export const maxStructures = (format: CountedFormat): number => FORMATS[format].maxStructures;

/** Starts to count the structures of a file. @param limit where it is not that of the format */
export const countStructures = (format: CountedFormat, limit = maxStructures(format)): CountStructures => {
  let left = limit;
  return (count = 1) => {
    left -= count;
    if (left < 0) throw tooManyParts(FORMATS[format].name);
  };
};
