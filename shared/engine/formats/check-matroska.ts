import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/unreadable-file';
import {
  CLUSTER,
  findSegment,
  openElements,
  PARTS,
  VOID,
  walkCluster,
  type Element,
  type ReadElement,
} from './matroska-elements';

/** Seek heads and cues: they contain the positions of other elements. */
const POSITIONS = [0x114d9b74, 0x1c53bb6b];

/** Maximum size of elements that the demuxer reads into memory as a whole. */
const MAX_PART_BYTES = 64 * 1024 ** 2;
const MAX_CLUSTER_BYTES = 256 * 1024 ** 2;
/** Maximum number of hidden elements: files have one or two seek heads and cues. */
const MAX_PATCHES = 16;

/** @returns the offset of the element's end */
const checkPart = async (
  read: ReadElement,
  { id, sizeBytes, headerBytes }: Element,
  at: number,
  end: number,
): Promise<number> => {
  if (!PARTS.includes(id) && id !== VOID) throw corruptStructure();
  const start = at + headerBytes;
  if (sizeBytes !== undefined && start + sizeBytes > end) throw truncatedVideo();
  if (id === CLUSTER) {
    const clusterEnd = await walkCluster(read, start, sizeBytes, end);
    if (clusterEnd - start > MAX_CLUSTER_BYTES) throw indexTooLarge();
    return clusterEnd;
  }
  if (sizeBytes === undefined) throw corruptStructure();
  if (id !== VOID && sizeBytes > MAX_PART_BYTES) throw indexTooLarge();
  return start + sizeBytes;
};

/** Bytes that replace those of the file when it is read. */
interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

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

const withPatches = (source: ByteSource, sizeBytes: number, patches: readonly Patch[]): ByteSource => ({
  sizeBytes,
  read: async (start, end) => {
    const read = await source.read(start, end);
    const touched = patches.filter(({ at, bytes }) => at < end && at + bytes.byteLength > start);
    if (touched.length === 0) return read;
    const copy = read.slice();
    for (const { at, bytes } of touched) {
      for (const [index, byte] of bytes.entries()) {
        if (at + index >= start && at + index < end) copy[at + index - start] = byte;
      }
    }
    return copy;
  },
});

/**
 * Checks the structure of a Matroska or WebM file before a demuxer reads it.
 *
 * At invalid bytes the demuxer searches for the next element, without end if there is none, and it reads whole elements
 * into memory. So every element is checked, and seek heads and cues, which contain positions, are hidden: the demuxer
 * then reads the elements in order.
 *
 * @returns the bytes for the demuxer, without data that other programs append after the segment
 * @throws UnreadableFile
 */
export const checkMatroska = async (source: ByteSource): Promise<ByteSource> => {
  const read = openElements(source);
  const [start, end] = await findSegment(read, source);
  const patches: Patch[] = [];
  for (let at = start; at < end;) {
    const part = await read(at);
    if (!part) throw corruptStructure();
    const partEnd = await checkPart(read, part, at, end);
    if (part.sizeBytes !== undefined && POSITIONS.includes(part.id)) {
      if (patches.length === MAX_PATCHES) throw corruptStructure();
      patches.push({ at, bytes: voidHeader(part.sizeBytes, part.headerBytes) });
    }
    at = partEnd;
  }
  return withPatches(source, end, patches);
};
