import { huffmanCode, type HuffmanCode } from './huffman-code';

const SYMBOLS = 256;

/** Takes what a scan consists of. */
export interface EntropySink {
  /** @param table index of the scan's Huffman table */
  readonly symbol: (table: number, symbol: number) => void;
  /** @param count 0..16 @param value its lowest bits are written */
  readonly bits: (value: number, count: number) => void;
}

/** Writes a scan into a sink. It is called twice, because codes are chosen by what occurs. */
export type ScanWriter = (sink: EntropySink) => void;

export interface EncodedScan {
  /** By index of the table. */
  readonly codes: readonly HuffmanCode[];
  readonly data: Uint8Array;
}

/** Collects bits as bytes. @see ITU-T T.81, F.1.2.3 */
const createBitWriter = (maxBytes: number): { put: EntropySink['bits']; finish: () => Uint8Array } => {
  const data = new Uint8Array(maxBytes);
  let [end, held, count] = [0, 0, 0];
  const put = (value: number, bits: number): void => {
    held = (held << bits) | (value & ((1 << bits) - 1));
    for (count += bits; count >= 8; count -= 8) {
      const byte = (held >>> (count - 8)) & 255;
      data[end++] = byte;
      if (byte === 255) data[end++] = 0;
    }
    held &= (1 << count) - 1;
  };
  const finish = (): Uint8Array => {
    if (count > 0) put(255, 8 - count);
    return data.subarray(0, end);
  };
  return { put, finish };
};

/** Encodes a scan with the best Huffman codes for it. @param tables number of its Huffman tables */
export const encodeScan = (write: ScanWriter, tables: number): EncodedScan => {
  const frequencies = Array.from({ length: tables }, () => new Float64Array(SYMBOLS));
  let bits = 0;
  write({
    symbol: (table, symbol) => {
      const counts = frequencies[table] as Float64Array;
      counts[symbol] = (counts[symbol] as number) + 1;
    },
    bits: (_value, count) => {
      bits += count;
    },
  });
  const codes = frequencies.map(huffmanCode);
  frequencies.forEach((counts, table) =>
    counts.forEach((count, symbol) => {
      bits += count * (codes[table]?.lengths[symbol] as number);
    }),
  );
  // Each byte may need a zero behind it.
  const { put, finish } = createBitWriter(2 * Math.ceil(bits / 8) + 2);
  write({
    symbol: (table, symbol) => {
      const { codes: words, lengths } = codes[table] as HuffmanCode;
      put(words[symbol] as number, lengths[symbol] as number);
    },
    bits: put,
  });
  return { codes, data: finish() };
};
