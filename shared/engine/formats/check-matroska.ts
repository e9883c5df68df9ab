import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/unreadable-file';

const SEGMENT = 0x18538067;
const EBML_HEADER = 0x1a45dfa3;
const CLUSTER = 0x1f43b675;
/** The elements of a segment: seek head, info, tracks, cues, attachments, chapters, tags, and clusters. */
const PARTS = [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367, CLUSTER];
const VOID = 0xec;
/** Seek heads and cues: they contain the positions of other elements. */
const POSITIONS = [0x114d9b74, 0x1c53bb6b];

/** Maximum length of an element's id, 4 bytes, and size, 8 bytes. */
const MAX_HEADER_BYTES = 12;
/** Bytes of one read: many small elements are next to one another. */
const WINDOW_BYTES = 64 * 1024;
/** Maximum size of elements that the demuxer reads into memory as a whole. */
const MAX_PART_BYTES = 64 * 1024 ** 2;
const MAX_CLUSTER_BYTES = 256 * 1024 ** 2;
/** Maximum number of hidden elements: files have one or two seek heads and cues. */
const MAX_PATCHES = 16;
/** Maximum number of elements that are read, including those in the clusters of a file. */
const MAX_ELEMENTS = 10_000_000;

interface Element {
  readonly id: number;
  /**
   * Undefined for an element of unknown size, as in live recordings: it ends before an element that cannot be inside
   * it.
   */
  readonly sizeBytes: number | undefined;
  readonly headerBytes: number;
}

/** Length of a variable-length number, from the leading zeros of its first byte; above 8 if invalid. */
const lengthOf = (first: number): number => Math.clz32(first) - 23;

const readNumber = (bytes: Uint8Array, length: number, mask: number): number => {
  let value = (bytes[0] as number) & mask;
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[i] as number);
  return value;
};

/** @returns undefined if the bytes are no element */
const readElement = (bytes: Uint8Array): Element | undefined => {
  const idLength = lengthOf(bytes[0] ?? 0);
  const rest = bytes.subarray(idLength);
  const sizeLength = lengthOf(rest[0] ?? 0);
  if (idLength > 4 || sizeLength > 8 || rest.byteLength < sizeLength) return undefined;
  const size = readNumber(rest, sizeLength, (1 << (8 - sizeLength)) - 1);
  // All bits set means an unknown size. At 8 bytes the comparison is inexact, but no real size is that large.
  const isUnknown = size >= 2 ** (7 * sizeLength) - 1;
  return {
    id: readNumber(bytes, idLength, 0xff),
    sizeBytes: isUnknown ? undefined : size,
    headerBytes: idLength + sizeLength,
  };
};

/** Returns a function that reads the element at an offset, through a buffer of `WINDOW_BYTES`. */
const openElements = (source: ByteSource) => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  let count = 0;
  return async (at: number): Promise<Element | undefined> => {
    if (++count > MAX_ELEMENTS) throw indexTooLarge();
    const end = Math.min(at + MAX_HEADER_BYTES, source.sizeBytes);
    if (at < windowAt || end > windowAt + window.byteLength) {
      window = await source.read(at, Math.min(at + WINDOW_BYTES, source.sizeBytes));
      windowAt = at;
    }
    return readElement(window.subarray(at - windowAt, end - windowAt));
  };
};

type ReadElement = ReturnType<typeof openElements>;

/** Iterates over the elements of a cluster. @returns the offset of its end, also for clusters of unknown size */
const walkCluster = async (
  read: ReadElement,
  start: number,
  sizeBytes: number | undefined,
  segmentEnd: number,
): Promise<number> => {
  const end = sizeBytes === undefined ? segmentEnd : start + sizeBytes;
  let at = start;
  while (at < end) {
    const element = await read(at);
    if (!element) throw corruptStructure();
    const isNextPart = PARTS.includes(element.id) || element.id === SEGMENT || element.id === EBML_HEADER;
    if (isNextPart && sizeBytes === undefined) return at;
    if (isNextPart || element.sizeBytes === undefined) throw corruptStructure();
    at += element.headerBytes + element.sizeBytes;
  }
  if (at > segmentEnd) throw truncatedVideo();
  if (at > end) throw corruptStructure();
  return at;
};

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

const findSegment = async (read: ReadElement, source: ByteSource): Promise<readonly [number, number]> => {
  const header = await read(0);
  if (header?.id !== EBML_HEADER || header.sizeBytes === undefined) throw corruptStructure();
  const at = header.headerBytes + header.sizeBytes;
  const segment = at < source.sizeBytes ? await read(at) : undefined;
  if (!segment) throw truncatedVideo();
  if (segment.id !== SEGMENT) throw corruptStructure();
  const start = at + segment.headerBytes;
  const end = segment.sizeBytes === undefined ? source.sizeBytes : start + segment.sizeBytes;
  if (end > source.sizeBytes) throw truncatedVideo();
  return [start, end];
};

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
