import { NotCopyable } from './jpeg-blocks';

const MARKER = 0xff;
const FIRST_RESTART = 0xd0;
/** Codes up to this length are found by one look into a table. */
const QUICK_BITS = 9;
const LONGEST_CODE = 16;

/** A Huffman table, ready to decode. @see ITU-T T.81, F.2.2.3 */
export interface DecodingTable {
  /** Length × 256 + symbol by the next `QUICK_BITS` bits; 0 where the code is longer. */
  readonly quick: Uint16Array;
  /** Largest code of each length; −1 where there is none. */
  readonly largest: Int32Array;
  /** What added to a code of a length gives its place in `symbols`. */
  readonly offsets: Int32Array;
  readonly symbols: Uint8Array;
}

/**
 * @param counts of the codes of length 1 to 16
 * @throws NotCopyable where the codes overlap
 */
export const decodingTable = (counts: Uint8Array, symbols: Uint8Array): DecodingTable => {
  const quick = new Uint16Array(1 << QUICK_BITS);
  const largest = new Int32Array(LONGEST_CODE + 1).fill(-1);
  const offsets = new Int32Array(LONGEST_CODE + 1);
  let [code, place] = [0, 0];
  for (let length = 1; length <= LONGEST_CODE; length++) {
    const count = counts[length - 1] as number;
    if (code + count > 1 << length) throw new NotCopyable('Huffman codes overlap');
    offsets[length] = place - code;
    if (count > 0) largest[length] = code + count - 1;
    for (let i = 0; i < count; i++, code++, place++) {
      if (length > QUICK_BITS) continue;
      const from = code << (QUICK_BITS - length);
      quick.fill(length * 256 + (symbols[place] as number), from, from + (1 << (QUICK_BITS - length)));
    }
    code <<= 1;
  }
  return { quick, largest, offsets, symbols };
};

/** Reads the entropy-coded data of one scan. @see ITU-T T.81, annex F */
export interface EntropyReader {
  /** @param count 0..16 */
  readonly bits: (count: number) => number;
  readonly symbol: (table: DecodingTable) => number;
  /** A signed number of `count` bits, 0..15. */
  readonly signed: (count: number) => number;
  /** Begins anew behind the restart marker of this number. */
  readonly restart: (number: number) => void;
}

/** @param bytes of the file @param from offset of the first entropy-coded byte @throws NotCopyable where the data end early */
export const readEntropy = (bytes: Uint8Array, from: number): EntropyReader => {
  let at = from;
  let [held, count] = [0, 0];
  /** Bits behind the end, with which a decoder fills up; a file that needs them is cut off. */
  let missing = 0;

  const fill = (): void => {
    while (count <= 16) {
      const byte = bytes[at];
      if (byte === undefined || (byte === MARKER && bytes[at + 1] !== 0)) {
        held <<= 8;
        missing += 8;
      } else {
        held = (held << 8) | byte;
        at += byte === MARKER ? 2 : 1;
      }
      count += 8;
    }
  };
  const take = (wanted: number): void => {
    count -= wanted;
    if (count < missing) throw new NotCopyable('the scan ends early');
  };
  const bits = (wanted: number): number => {
    if (count < wanted) fill();
    take(wanted);
    return (held >>> count) & ((1 << wanted) - 1);
  };
  const longSymbol = ({ largest, offsets, symbols }: DecodingTable): number => {
    for (let length = QUICK_BITS + 1; length <= LONGEST_CODE; length++) {
      const code = (held >>> (count - length)) & ((1 << length) - 1);
      if (code > (largest[length] as number)) continue;
      take(length);
      return symbols[code + (offsets[length] as number)] as number;
    }
    throw new NotCopyable('an unknown Huffman code');
  };
  const symbol = (table: DecodingTable): number => {
    if (count < LONGEST_CODE) fill();
    const found = table.quick[(held >>> (count - QUICK_BITS)) & ((1 << QUICK_BITS) - 1)] as number;
    if (found === 0) return longSymbol(table);
    take(found >> 8);
    return found & 255;
  };
  const signed = (wanted: number): number => {
    if (wanted === 0) return 0;
    const value = bits(wanted);
    return value >> (wanted - 1) ? value : value - (1 << wanted) + 1;
  };
  const restart = (number: number): void => {
    while (bytes[at] === MARKER && bytes[at + 1] === MARKER) at++;
    if (bytes[at] !== MARKER || bytes[at + 1] !== FIRST_RESTART + number) {
      throw new NotCopyable('a restart marker is missing');
    }
    at += 2;
    [held, count, missing] = [0, 0, 0];
  };
  return { bits, symbol, signed, restart };
};
