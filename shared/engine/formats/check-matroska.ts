import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/failure';
import type { CheckedVideo } from './check-mp4';
import { walkCluster, createPartChecker, type PartChecker } from './matroska-parts';
import {
  type Element,
  type ElementReader,
  CLUSTER,
  findSegment,
  openElements,
  PARTS,
  SEGMENT,
  VOID,
} from './matroska-elements';
import { createMatroskaNotes, type MatroskaNotes } from './matroska-metadata';
import { withPatches, type Patch } from './derived-source';
import { MATROSKA_LIMITS } from './structure-limits';

/** Seek heads and cues: they contain the positions of other elements. */
const POSITIONS = [0x114d9b74, 0x1c53bb6b];
/** Parts that the demuxer reads as a whole: info, tracks, attachments, tags. */
const READ_PARTS = [0x1549a966, 0x1654ae6b, 0x1941a469, 0x1254c367];

/** Counts the parts of a segment. */
interface Counts {
  others: number;
  clusters: number;
}

/** @throws UnreadableFile beyond the limits */
const requireFewParts = ({ others, clusters }: Counts, { sizeBytes }: ByteSource): void => {
  const maxClusters = MATROSKA_LIMITS.clusters + sizeBytes / MATROSKA_LIMITS.clusterMeanBytes;
  if (others > MATROSKA_LIMITS.otherParts || clusters > maxClusters) throw indexTooLarge();
};

/** One file while its parts are read. */
interface Checking {
  readonly reader: ElementReader;
  readonly checkElements: PartChecker;
  readonly notes: MatroskaNotes;
  readonly counts: Counts;
}

const checkCluster = async (
  { reader, counts }: Checking,
  sizeBytes: number | undefined,
  start: number,
  segmentEnd: number,
): Promise<number> => {
  const { end, blocks } = await walkCluster(reader, start, sizeBytes, segmentEnd);
  if (end - start > MATROSKA_LIMITS.clusterBytes) throw indexTooLarge();
  if (blocks > 0) counts.clusters++;
  else counts.others++;
  return end;
};

/** @returns the offset of the element's end */
const checkPart = async (
  checking: Checking,
  { id, sizeBytes, headerBytes }: Element,
  at: number,
  end: number,
): Promise<number> => {
  if (!PARTS.includes(id) && id !== VOID) throw corruptStructure();
  const start = at + headerBytes;
  if (sizeBytes !== undefined && start + sizeBytes > end) throw truncatedVideo();
  if (id === CLUSTER) return checkCluster(checking, sizeBytes, start, end);
  checking.counts.others++;
  if (sizeBytes === undefined) throw corruptStructure();
  if (id !== VOID && sizeBytes > MATROSKA_LIMITS.partBytes) throw indexTooLarge();
  await checking.notes.visit({ id, start, end: start + sizeBytes }, SEGMENT);
  if (READ_PARTS.includes(id)) await checking.checkElements(id, start, start + sizeBytes);
  return start + sizeBytes;
};

/** A header of the same length that turns an element into a void element, which demuxers skip; at least five bytes. */
const voidHeader = (sizeBytes: number, headerBytes: number): Uint8Array => {
  const length = Math.min(8, headerBytes - 1);
  const bytes = new Uint8Array(length + 1);
  bytes[0] = VOID;
  let rest = sizeBytes + headerBytes - 1 - length;
  for (let i = length; i > 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[1] = (bytes[1] as number) | (1 << (8 - length));
  return bytes;
};

/**
 * Checks the structure of a Matroska or WebM file before a demuxer reads it, and notes its metadata.
 *
 * At invalid bytes the demuxer searches for the next element, without end if there is none, and it reads whole elements
 * into memory. So every element is checked, and seek heads and cues, which contain positions, are hidden: the demuxer
 * then reads the elements in order.
 *
 * @returns the bytes for the demuxer, without data that other programs append after the segment
 * @throws UnreadableFile
 */
export const checkMatroska = async (source: ByteSource): Promise<CheckedVideo> => {
  const reader = openElements(source);
  const [start, end] = await findSegment(reader, source);
  const notes = createMatroskaNotes(source);
  const checking: Checking = {
    ...{ reader, notes, checkElements: createPartChecker(reader, notes) },
    counts: { others: 0, clusters: 0 },
  };
  const patches: Patch[] = [];
  for (let at = start; at < end;) {
    const part = await reader.read(at);
    if (!part) throw corruptStructure();
    const partEnd = await checkPart(checking, part, at, end);
    requireFewParts(checking.counts, source);
    if (part.sizeBytes !== undefined && POSITIONS.includes(part.id)) {
      if (patches.length === MATROSKA_LIMITS.positionParts) throw corruptStructure();
      patches.push({ at, bytes: voidHeader(part.sizeBytes, part.headerBytes) });
    }
    at = partEnd;
  }
  if (end < source.sizeBytes) notes.note('trailer');
  return { tracks: [], source: withPatches(source, end, patches), ...(await notes.finish()) };
};
