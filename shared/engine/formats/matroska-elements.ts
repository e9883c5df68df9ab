import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/failure';
import { MATROSKA_LIMITS } from './structure-limits';

export const SEGMENT = 0x18538067;
const EBML_HEADER = 0x1a45dfa3;
export const CLUSTER = 0x1f43b675;
/** The elements of a segment: seek head, info, tracks, cues, attachments, chapters, tags, and clusters. */
export const PARTS = [
  ...[0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367],
  CLUSTER,
];
export const VOID = 0xec;

/** Maximum length of an element's id, 4 bytes, and size, 8 bytes. */
const MAX_HEADER_BYTES = 12;
/** Maximum length of the head of a block: track, 8 bytes, time, flags and number of frames. */
const MAX_BLOCK_HEAD_BYTES = 12;
/** Bytes of one read: many small elements are next to one another. */
const WINDOW_BYTES = 64 * 1024;

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

const readNumber = (bytes: Uint8Array, at: number, length: number, mask: number): number => {
  let value = (bytes[at] as number) & mask;
  for (let i = at + 1; i < at + length; i++) value = value * 256 + (bytes[i] as number);
  return value;
};

/** @returns undefined if the bytes are no element */
const readElement = (bytes: Uint8Array, at: number, end: number): Element | undefined => {
  const idLength = lengthOf(at < end ? (bytes[at] as number) : 0);
  const sizeAt = at + idLength;
  const sizeLength = lengthOf(sizeAt < end ? (bytes[sizeAt] as number) : 0);
  if (idLength > 4 || sizeLength > 8 || end - sizeAt < sizeLength) return undefined;
  const size = readNumber(bytes, sizeAt, sizeLength, (1 << (8 - sizeLength)) - 1);
  // All bits set means an unknown size. At 8 bytes the comparison is inexact, but no real size is that large.
  const isUnknown = size >= 2 ** (7 * sizeLength) - 1;
  return {
    id: readNumber(bytes, at, idLength, 0xff),
    sizeBytes: isUnknown ? undefined : size,
    headerBytes: idLength + sizeLength,
  };
};

/** Reads elements through a buffer. */
export interface ElementReader {
  /** Reads the element at an offset. Most are in the buffer: a promise for each would take longer than the rest. */
  readonly read: (at: number) => Element | undefined | Promise<Element | undefined>;
  /** The bytes at the start of the content of the element that was read last; as many as the head of a block has. */
  readonly headAt: (at: number) => Uint8Array;
}

/** @param windowBytes of the buffer */
export const openElements = (source: ByteSource, windowBytes = WINDOW_BYTES): ElementReader => {
  let window: Uint8Array = new Uint8Array(0);
  let windowAt = 0;
  let count = 0;
  const parse = (at: number, end: number): Element | undefined =>
    readElement(window, at - windowAt, end - windowAt);
  const fill = async (at: number, end: number): Promise<Element | undefined> => {
    window = await source.read(at, Math.min(at + windowBytes, source.sizeBytes));
    windowAt = at;
    return parse(at, end);
  };
  return {
    read: (at) => {
      if (++count > MATROSKA_LIMITS.elements) throw indexTooLarge();
      const end = Math.min(at + MAX_HEADER_BYTES, source.sizeBytes);
      const needed = Math.min(at + MAX_HEADER_BYTES + MAX_BLOCK_HEAD_BYTES, source.sizeBytes);
      if (at < windowAt || needed > windowAt + window.byteLength) return fill(at, end);
      return parse(at, end);
    },
    headAt: (at) => window.subarray(at - windowAt, at - windowAt + MAX_BLOCK_HEAD_BYTES),
  };
};

export const isPart = (id: number): boolean => PARTS.includes(id) || id === SEGMENT || id === EBML_HEADER;

/** @returns start and end of the content of the segment */
export const findSegment = async (
  { read }: ElementReader,
  source: ByteSource,
): Promise<readonly [number, number]> => {
  const header = await read(0);
  if (header?.id !== EBML_HEADER || header.sizeBytes === undefined) throw corruptStructure();
  if (header.sizeBytes > MATROSKA_LIMITS.headerBytes) throw indexTooLarge();
  const at = header.headerBytes + header.sizeBytes;
  const segment = at < source.sizeBytes ? await read(at) : undefined;
  if (!segment) throw truncatedVideo();
  if (segment.id !== SEGMENT) throw corruptStructure();
  const start = at + segment.headerBytes;
  const end = segment.sizeBytes === undefined ? source.sizeBytes : start + segment.sizeBytes;
  if (end > source.sizeBytes) throw truncatedVideo();
  return [start, end];
};
