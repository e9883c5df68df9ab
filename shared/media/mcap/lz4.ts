import { joinBytes, viewOf } from '../../engine/formats/bytes';
import { damagedBag } from './fields';

/**
 * LZ4 frames, as chunks of bags have them.
 *
 * Written by hand: the package that reads them (`@foxglove/wasm-lz4`) writes none, and a block is little more than
 * copies.
 *
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */

/** Magic, independent blocks of at most 4 MiB, no checksums; the last byte is the checksum of these two. */
const FRAME_HEAD = Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73);
const MAGIC = 0x184d2204;
const BLOCK_BYTES = 4 * 1024 ** 2;
/** The bit of a block's length that says it is not compressed. */
const STORED = 0x80000000;
const MIN_MATCH = 4;
/** A block ends with at least so many literals, and its last match begins so long before the end. */
const [LAST_LITERALS, MATCH_LIMIT] = [5, 12];
const MAX_DISTANCE = 65_535;
const HASH_BITS = 14;
/** After 2^6 misses in a row every second position is tried, and so on. */
const SKIP_BITS = 6;

const bad = () => damagedBag('a chunk cannot be decompressed');

/** A frame that is being unpacked. */
interface Unpacking {
  readonly out: Uint8Array;
  end: number;
}

/** Appends what a block contains. Matches may reach into the blocks before. */
const unpackBlock = (block: Uint8Array, into: Unpacking): void => {
  const { out } = into;
  let at = 0;
  let end = into.end;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    for (let more = nibble === 15; more;) {
      const byte = block[at++];
      if (byte === undefined) throw bad();
      length += byte;
      more = byte === 255;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthFrom(token >> 4);
    if (literals > block.length - at || literals > out.length - end) throw bad();
    out.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at === block.length) break;
    const distance = block[at]! | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const length = lengthFrom(token & 15) + MIN_MATCH;
    if (distance === 0 || distance > end || length > out.length - end) throw bad();
    if (distance >= length) {
      out.copyWithin(end, end - distance, end - distance + length);
      end += length;
    } else for (const last = end + length; end < last; end++) out[end] = out[end - distance]!;
  }
  into.end = end;
};

/** Offset of the first block. */
const blocksAt = (packed: Uint8Array): number => {
  if (packed.length < FRAME_HEAD.length || viewOf(packed).getUint32(0, true) !== MAGIC) throw bad();
  const flags = packed[4]!;
  if (flags >> 6 !== 1 || flags & 1) throw bad(); // another version, or a dictionary
  return FRAME_HEAD.length + (flags & 8 ? 8 : 0);
};

/**
 * Unpacks one frame. Its checksums are not read: chunks have one of their own.
 *
 * @param sizeBytes of the result. @throws UnreadableFile where it has another size
 */
export const unpackLz4 = (packed: Uint8Array, sizeBytes: number): Uint8Array => {
  const view = viewOf(packed);
  const into: Unpacking = { out: new Uint8Array(sizeBytes), end: 0 };
  const checksumBytes = packed[4]! & 16 ? 4 : 0;
  for (let at = blocksAt(packed); ;) {
    if (at + 4 > packed.length) throw bad();
    const stated = view.getUint32(at, true);
    if (stated === 0) break;
    const length = stated & ~STORED;
    at += 4;
    if (length > packed.length - at) throw bad();
    const block = packed.subarray(at, at + length);
    if (stated >= STORED) {
      if (length > sizeBytes - into.end) throw bad();
      into.out.set(block, into.end);
      into.end += length;
    } else unpackBlock(block, into);
    at += length + checksumBytes;
  }
  if (into.end !== sizeBytes) throw bad();
  return into.out;
};

/** Writes the part of a length that does not fit into the token. @returns the offset behind it */
const putLength = (out: Uint8Array, at: number, length: number): number => {
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out[at++] = 255;
  out[at++] = rest;
  return at;
};

interface Sequence {
  readonly from: number;
  readonly literals: number;
  /** 0: the last one, without a match. */
  readonly match: number;
  readonly distance: number;
}

/** @returns the offset behind the sequence */
const putSequence = (
  source: Uint8Array,
  out: Uint8Array,
  at: number,
  { from, literals, match, distance }: Sequence,
): number => {
  const extra = match - MIN_MATCH;
  out[at] = (Math.min(literals, 15) << 4) | (match === 0 ? 0 : Math.min(extra, 15));
  let end = at + 1;
  if (literals >= 15) end = putLength(out, end, literals);
  out.set(source.subarray(from, from + literals), end);
  end += literals;
  if (match === 0) return end;
  out[end++] = distance & 255;
  out[end++] = distance >> 8;
  return extra >= 15 ? putLength(out, end, extra) : end;
};

/** Compresses greedily, with one candidate for each hash. @returns undefined where that is not smaller */
const packBlock = (source: Uint8Array): Uint8Array | undefined => {
  const view = viewOf(source);
  const out = new Uint8Array(source.length + Math.ceil(source.length / 255) + 16);
  const table = new Int32Array(1 << HASH_BITS).fill(-1);
  const lastMatch = source.length - MATCH_LIMIT;
  const lastByte = source.length - LAST_LITERALS;
  let from = 0;
  let end = 0;
  let misses = 0;
  for (let at = 0; at <= lastMatch;) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const candidate = table[hash]!;
    table[hash] = at;
    if (candidate < 0 || at - candidate > MAX_DISTANCE || view.getUint32(candidate, true) !== word) {
      at += 1 + (misses++ >> SKIP_BITS);
      continue;
    }
    misses = 0;
    let match = MIN_MATCH;
    while (at + match < lastByte && source[at + match] === source[candidate + match]) match++;
    end = putSequence(source, out, end, { from, literals: at - from, match, distance: at - candidate });
    at += match;
    from = at;
  }
  end = putSequence(source, out, end, { from, literals: source.length - from, match: 0, distance: 0 });
  return end < source.length ? out.subarray(0, end) : undefined;
};

/** Packs bytes into one frame. */
export const packLz4 = (bytes: Uint8Array): Uint8Array => {
  const parts: Uint8Array[] = [FRAME_HEAD];
  const word = (value: number): Uint8Array => {
    const four = new Uint8Array(4);
    viewOf(four).setUint32(0, value, true);
    return four;
  };
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const source = bytes.subarray(at, at + BLOCK_BYTES);
    const packed = packBlock(source);
    parts.push(word(packed ? packed.length : (STORED | source.length) >>> 0), packed ?? source);
  }
  return joinBytes([...parts, word(0)]);
};
