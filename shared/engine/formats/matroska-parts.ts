import { FORMATS } from '../../catalogue/formats';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/failure';
import { isPart, type ElementReader, type Element } from './matroska-elements';
import { ADDITION, type MatroskaNotes } from './matroska-metadata';
import { MATROSKA_LIMITS } from './structure-limits';

const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const TIME = 0xe7;
const BLOCK = 0xa1;
/** Bits of a block's flags that say how it contains several frames. */
const LACING = 0x06;
/** Bytes of a block's time and flags. */
const TIME_BYTES = 2;

/** Counts while a cluster is read. */
interface Counts {
  blocks: number;
  others: number;
  /** Whether the time of the blocks is stated: a cluster without one is read in vain. */
  hasTime: boolean;
  /** Frames in blocks with several of them. */
  laced: number;
}

/** Frames of a block: several where it is laced, with one byte at least, of which the last may be empty. */
const lacedFrames = (head: Uint8Array, sizeBytes: number): number => {
  const trackBytes = Math.clz32(head[0] ?? 0) - 23;
  const flags = head[trackBytes + TIME_BYTES] ?? 0;
  if ((flags & LACING) === 0) return 0;
  const countAt = trackBytes + TIME_BYTES + 1;
  const frames = (head[countAt] ?? 0) + 1;
  if (frames > sizeBytes - countAt) throw corruptStructure();
  return frames;
};

const countElement = (counts: Counts, { id, sizeBytes = 0 }: Element, head: Uint8Array): void => {
  if (id !== SIMPLE_BLOCK && id !== BLOCK) {
    counts.others++;
    counts.hasTime ||= id === TIME;
    return;
  }
  counts.blocks++;
  counts.laced += lacedFrames(head, sizeBytes);
  // The demuxer inserts each frame of a laced block into the list of the blocks of its cluster.
  if (counts.laced > 0 && counts.laced + counts.blocks > MATROSKA_LIMITS.lacedFrames) throw indexTooLarge();
};

type SizedElement = Element & { readonly sizeBytes: number };

const isSized = (element: Element): element is SizedElement => element.sizeBytes !== undefined;

/** Reads the blocks of a group. */
const walkGroup = async (
  reader: ElementReader,
  start: number,
  end: number,
  counts: Counts,
): Promise<void> => {
  for (let at = start; at < end;) {
    let element = reader.read(at);
    if (element instanceof Promise) element = await element;
    if (!element || !isSized(element) || element.id === BLOCK_GROUP || isPart(element.id)) {
      throw corruptStructure();
    }
    const contentAt = at + element.headerBytes;
    // A group has a few fields next to its block: they countElement as a part of it.
    if (element.id === BLOCK) countElement(counts, element, reader.headAt(contentAt));
    at = contentAt + element.sizeBytes;
  }
};

interface ClusterWalk {
  readonly reader: ElementReader;
  readonly segmentEnd: number;
  readonly counts: Counts;
}

/** Counts an element of a cluster, and those in it. @returns the offset of its end */
const walkElement = async (
  { reader, segmentEnd, counts }: ClusterWalk,
  element: SizedElement,
  contentAt: number,
): Promise<number> => {
  countElement(counts, element, reader.headAt(contentAt));
  const end = contentAt + element.sizeBytes;
  if (end > segmentEnd) throw truncatedVideo();
  if (element.id === BLOCK_GROUP) await walkGroup(reader, contentAt, end, counts);
  if (counts.others > MATROSKA_LIMITS.clusterElements + 2 * counts.blocks) throw indexTooLarge();
  return end;
};

/**
 * Reads the elements of a cluster.
 *
 * @param sizeBytes undefined for a cluster of unknown size
 * @returns the offset of its end, also for clusters of unknown size, and the number of blocks
 * @throws UnreadableFile where it has more structures than a recording has
 */
export const walkCluster = async (
  reader: ElementReader,
  start: number,
  sizeBytes: number | undefined,
  segmentEnd: number,
): Promise<{ readonly end: number; readonly blocks: number }> => {
  const end = sizeBytes === undefined ? segmentEnd : start + sizeBytes;
  const counts: Counts = { blocks: 0, others: 0, hasTime: false, laced: 0 };
  const walk = { reader, segmentEnd, counts };
  let at = start;
  while (at < end) {
    let element = reader.read(at);
    if (element instanceof Promise) element = await element;
    if (!element) throw corruptStructure();
    if (isPart(element.id) && sizeBytes === undefined) break;
    if (isPart(element.id) || !isSized(element)) throw corruptStructure();
    at = await walkElement(walk, element, at + element.headerBytes);
  }
  if (at > end || (counts.blocks > 0 && !counts.hasTime)) throw corruptStructure();
  return { end: at, blocks: counts.blocks };
};

const TRACK_ENTRY = 0xae;
const CODING_STEP = 0x6240;
const CODING_SETTINGS = 0x4255;
/** Elements with elements in them, as the demuxer reads them: of tracks, tags and attachments. */
const MASTERS = new Set([
  ...[TRACK_ENTRY, 0xe0, 0x55b0, 0x7670, 0xe1, 0x6d80, CODING_STEP, 0x5034, ADDITION],
  ...[0x7373, 0x63c0, 0x67c8, 0x61a7],
]);
/** Elements of seek heads, cues and clusters: the demuxer reads them, and follows their positions, wherever they are. */
const FOREIGN = new Set([0x4dbb, 0x53ab, 0x53ac, 0xbb, 0xb3, 0xb7, 0xf7, 0xf1, 0xa3, 0xa0, 0xa1]);

/** What is left of the limits of a file. */
interface Left {
  elements: number;
  tracks: number;
}

/** Counts an element. @throws UnreadableFile beyond the limits */
const count = (left: Left, id: number, sizeBytes: number): void => {
  left.elements--;
  if (id === TRACK_ENTRY) left.tracks--;
  const isLargeStep = id === CODING_SETTINGS && sizeBytes > MATROSKA_LIMITS.codingBytes;
  if (Math.min(left.elements, left.tracks) < 0 || isLargeStep) throw indexTooLarge();
};

/** Checks the elements of a part of a segment. @throws UnreadableFile beyond the limits, or where one has another place */
export type PartChecker = (part: number, start: number, end: number) => Promise<void>;

/** @returns a checker for all parts of one file, whose structures count together */
export const createPartChecker = (reader: ElementReader, { visit }: MatroskaNotes): PartChecker => {
  const left: Left = { elements: FORMATS.matroska.maxStructures, tracks: MATROSKA_LIMITS.tracks };
  const walk = async (parent: number, start: number, end: number, depth: number): Promise<void> => {
    if (depth > MATROSKA_LIMITS.depth) throw corruptStructure();
    let steps = 0;
    for (let at = start; at < end;) {
      const element = await reader.read(at);
      if (element?.sizeBytes === undefined) throw corruptStructure();
      const from = at + element.headerBytes;
      at = from + element.sizeBytes;
      if (at > end || FOREIGN.has(element.id) || isPart(element.id)) throw corruptStructure();
      count(left, element.id, element.sizeBytes);
      if (element.id === CODING_STEP && ++steps > MATROSKA_LIMITS.codingSteps) throw indexTooLarge();
      const visiting = visit({ id: element.id, start: from, end: at }, parent);
      if (visiting) await visiting;
      if (MASTERS.has(element.id)) await walk(element.id, from, at, depth + 1);
    }
  };
  return (part, start, end) => walk(part, start, end, 1);
};
