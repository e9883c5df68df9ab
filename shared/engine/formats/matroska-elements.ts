import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/unreadable-file';

const SEGMENT = 0x18538067;
const EBML_HEADER = 0x1a45dfa3;
export const CLUSTER = 0x1f43b675;
/** The elements of a segment: seek head, info, tracks, cues, attachments, chapters, tags, and clusters. */
export const PARTS = [
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  0x1c53bb6b,
  0x1941a469,
  0x1043a770,
  0x1254c367,
  CLUSTER,
];
export const VOID = 0xec;

/** Maximum length of an element's id, 4 bytes, and size, 8 bytes. */
const MAX_HEADER_BYTES = 12;
/** Bytes of one read: many small elements are next to one another. */
const WINDOW_BYTES = 64 * 1024;
/** Maximum number of elements that are read, including those in the clusters of a file. */
const MAX_ELEMENTS = 10_000_000;

/** The header of an element. */
export interface Element {
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

/** Returns a function that reads the element at an offset, through a buffer. @param windowBytes of the buffer */
export const openElements = (source: ByteSource, windowBytes = WINDOW_BYTES) => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  let count = 0;
  return async (at: number): Promise<Element | undefined> => {
    if (++count > MAX_ELEMENTS) throw indexTooLarge();
    const end = Math.min(at + MAX_HEADER_BYTES, source.sizeBytes);
    if (at < windowAt || end > windowAt + window.byteLength) {
      window = await source.read(at, Math.min(at + windowBytes, source.sizeBytes));
      windowAt = at;
    }
    return readElement(window.subarray(at - windowAt, end - windowAt));
  };
};

export type ReadElement = ReturnType<typeof openElements>;

/** Iterates over the elements of a cluster. @returns the offset of its end, also for clusters of unknown size */
export const walkCluster = async (
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

/** @returns start and end of the content of the segment */
export const findSegment = async (
  read: ReadElement,
  source: ByteSource,
): Promise<readonly [number, number]> => {
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
