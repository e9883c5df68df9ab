import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/failure';
import { isPart, type Element, type ElementReader } from './matroska-elements';
import { MATROSKA_LIMITS } from './video-structure-limits';

const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const TIME = 0xe7;
const BLOCK = 0xa1;
/** Bits of a block's flags that say how it contains several frames. */
const LACING = 0x06;
/** Bytes of a block's time and flags. */
const TIME_BYTES = 2;

/** What a cluster contains. */
export interface ClusterFacts {
  /** Offset of its end, also for clusters of unknown size. */
  readonly end: number;
  readonly blocks: number;
}

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

const count = (counts: Counts, { id, sizeBytes = 0 }: Element, head: Uint8Array): void => {
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
    // A group has a few fields beside its block: they count as a part of it.
    if (element.id === BLOCK) count(counts, element, reader.headAt(contentAt));
    at = contentAt + element.sizeBytes;
  }
};

/** Counts an element of a cluster, and those in it. @returns the offset of its end */
const walkElement = async (
  reader: ElementReader,
  element: SizedElement,
  contentAt: number,
  segmentEnd: number,
  counts: Counts,
): Promise<number> => {
  count(counts, element, reader.headAt(contentAt));
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
 * @throws UnreadableFile where it has more structures than a recording has
 */
export const walkCluster = async (
  reader: ElementReader,
  start: number,
  sizeBytes: number | undefined,
  segmentEnd: number,
): Promise<ClusterFacts> => {
  const end = sizeBytes === undefined ? segmentEnd : start + sizeBytes;
  const counts: Counts = { blocks: 0, others: 0, hasTime: false, laced: 0 };
  let at = start;
  while (at < end) {
    let element = reader.read(at);
    if (element instanceof Promise) element = await element;
    if (!element) throw corruptStructure();
    if (isPart(element.id) && sizeBytes === undefined) break;
    if (isPart(element.id) || !isSized(element)) throw corruptStructure();
    at = await walkElement(reader, element, at + element.headerBytes, segmentEnd, counts);
  }
  if (at > end || (counts.blocks > 0 && !counts.hasTime)) throw corruptStructure();
  return { end: at, blocks: counts.blocks };
};
