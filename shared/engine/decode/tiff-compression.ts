import { unzlibSync } from 'fflate';
import { damagedImage } from '../../domain/failure';
import { TIFF_COMPRESSION } from '../formats/images/tiff-layout';

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MAX_CODES = 4_096;
const MIN_CODE_BITS = 9;
const MAX_CODE_BITS = 12;
/** A segment of up to so many bytes may be packed in any way; a larger one not better than an image ever is. */
const MAX_FREE_BYTES = 2 ** 26;
const MAX_PACKED_RATIO = 256;

/** Runs of one byte, and bytes as they are. @see TIFF 6.0, section 9 */
const unpackBits = (packed: Uint8Array, to: Uint8Array): number => {
  let [from, at] = [0, 0];
  while (from + 1 < packed.length && at < to.length) {
    const count = ((packed[from] as number) << 24) >> 24;
    from += 1;
    if (count >= 0) {
      const length = Math.min(count + 1, to.length - at, packed.length - from);
      to.set(packed.subarray(from, from + length), at);
      from += count + 1;
      at += length;
    } else if (count !== -128) {
      const length = Math.min(1 - count, to.length - at);
      to.fill(packed[from] as number, at, at + length);
      from += 1;
      at += length;
    }
  }
  return at;
};

/** Reads codes of growing length, the highest bit first. */
class CodeReader {
  private bits = 0;
  private bitCount = 0;
  private from = 0;

  constructor(private readonly packed: Uint8Array) {}

  /** @returns the end code where the bytes end */
  next(codeBits: number): number {
    while (this.bitCount < codeBits) {
      const byte = this.packed[this.from];
      if (byte === undefined) return END;
      this.bits = ((this.bits << 8) | byte) & 0xffffff;
      this.from += 1;
      this.bitCount += 8;
    }
    this.bitCount -= codeBits;
    return (this.bits >> this.bitCount) & ((1 << codeBits) - 1);
  }
}

/** Strings that were unpacked before, by their codes: where they lie in the output. */
class Strings {
  private readonly starts = new Uint32Array(MAX_CODES);
  private readonly lengths = new Uint16Array(MAX_CODES);
  /** The code of the last string and the first byte of the next, which completes it. */
  private pending = FIRST_FREE;
  private isPending = false;
  codeBits = MIN_CODE_BITS;

  constructor(private readonly output: Uint8Array) {}

  clear(): void {
    [this.pending, this.isPending, this.codeBits] = [FIRST_FREE, false, MIN_CODE_BITS];
  }

  /** Writes what a code stands for to the output at an offset. @returns the offset behind it */
  write(code: number, at: number): number {
    if (code < CLEAR) {
      this.output[at] = code;
      return at + 1;
    }
    if (code > this.pending || (code === this.pending && !this.isPending)) throw damagedImage();
    const end = Math.min(at + (this.lengths[code] as number), this.output.length);
    // One byte after the other: the pending string overlaps with where it is written to.
    for (let from = this.starts[code] as number, to = at; to < end; from += 1, to += 1) {
      this.output[to] = this.output[from] as number;
    }
    return end;
  }

  /** The string from `start` to `end` was written: it and the first byte of the next one get a code. */
  add(start: number, end: number): void {
    if (this.isPending && this.pending < MAX_CODES) this.pending += 1;
    this.isPending = true;
    if (this.pending < MAX_CODES) {
      this.starts[this.pending] = start;
      this.lengths[this.pending] = end - start + 1;
    }
    // One code earlier than in GIF.
    if (this.pending + 1 >= 1 << this.codeBits && this.codeBits < MAX_CODE_BITS) this.codeBits += 1;
  }
}

/** @see TIFF 6.0, section 13 */
const unpackLzw = (packed: Uint8Array, to: Uint8Array): number => {
  const codes = new CodeReader(packed);
  const strings = new Strings(to);
  let at = 0;
  while (at < to.length) {
    const code = codes.next(strings.codeBits);
    if (code === END) break;
    if (code === CLEAR) {
      strings.clear();
      continue;
    }
    const start = at;
    at = strings.write(code, at);
    strings.add(start, at);
  }
  return at;
};

const inflate = (packed: Uint8Array, to: Uint8Array): number => {
  try {
    return unzlibSync(packed, { out: to }).length;
  } catch {
    throw damagedImage();
  }
};

/**
 * Unpacks a strip or tile.
 *
 * @param size bytes that it has to have: what is packed beyond them is not read
 * @returns the file's own bytes where they are not packed
 * @throws UnreadableFile where it has fewer
 */
export const unpack = (packed: Uint8Array, compression: number, size: number): Uint8Array => {
  if (compression === TIFF_COMPRESSION.none) {
    if (packed.length < size) throw damagedImage();
    return packed.subarray(0, size);
  }
  if (size > Math.max(MAX_FREE_BYTES, packed.length * MAX_PACKED_RATIO)) throw damagedImage();
  const bytes = new Uint8Array(size);
  const unpackTo =
    compression === TIFF_COMPRESSION.packBits
      ? unpackBits
      : compression === TIFF_COMPRESSION.lzw
        ? unpackLzw
        : inflate;
  if (unpackTo(packed, bytes) < size) throw damagedImage();
  return bytes;
};
