import { type DecodingTable, readEntropy, type EntropyReader } from './entropy-reader';
import type { McuOrder } from './visit-blocks';
import { BLOCK_LENGTH, NotCopyable, type JpegComponent } from './jpeg-blocks';

/** A component with its tables in one scan. */
export interface ScannedComponent extends JpegComponent {
  /** Absent where the scan has no such coefficients. */
  readonly dc?: DecodingTable | undefined;
  readonly ac?: DecodingTable | undefined;
}

/** What the header of a scan says. @see ITU-T T.81, B.2.3 */
export interface Scan {
  readonly order: McuOrder<ScannedComponent>;
  readonly isProgressive: boolean;
  /** First and last coefficient, in zigzag order. */
  readonly from: number;
  readonly to: number;
  /** Bits that a progressive scan leaves out: those of the scan before (0: none before), and of this one. */
  readonly highBit: number;
  readonly lowBit: number;
  /** MCUs between restart markers; 0: there are none. */
  readonly restartInterval: number;
}

/** Decodes one block into its coefficients, which begin at `at`. */
type DecodeBlock = (component: ScannedComponent, at: number) => void;

interface BlockDecoder {
  readonly block: DecodeBlock;
  /** Forgets what blocks are predicted from. */
  readonly reset: () => void;
}

const LARGEST_DC_BITS = 11;
const LARGEST_AC_BITS = 10;

const required = (table: DecodingTable | undefined): DecodingTable => {
  if (!table) throw new NotCopyable('a Huffman table is missing');
  return table;
};

const withPrediction = (
  decode: (predict: (component: ScannedComponent) => number) => DecodeBlock,
  reader: EntropyReader,
): BlockDecoder => {
  const last = new Map<number, number>();
  const predict = (component: ScannedComponent): number => {
    const bits = reader.symbol(required(component.dc));
    if (bits > LARGEST_DC_BITS) throw new NotCopyable('a DC difference is too large');
    const value = (last.get(component.id) ?? 0) + reader.signed(bits);
    last.set(component.id, value);
    return value;
  };
  return { block: decode(predict), reset: () => last.clear() };
};

/** @see ITU-T T.81, F.2.2 */
const baseline = (reader: EntropyReader): BlockDecoder =>
  withPrediction(
    (predict) => (component, at) => {
      const { coefficients } = component;
      const ac = required(component.ac);
      coefficients[at] = predict(component);
      for (let k = 1; k < BLOCK_LENGTH; k++) {
        const symbol = reader.symbol(ac);
        const [run, bits] = [symbol >> 4, symbol & 15];
        if (bits === 0 && run < 15) return;
        k += run;
        if (k >= BLOCK_LENGTH || bits > LARGEST_AC_BITS) throw new NotCopyable('a run is too long');
        if (bits > 0) coefficients[at + k] = reader.signed(bits);
      }
    },
    reader,
  );

/** @see ITU-T T.81, G.1.2.1 */
const progressiveDc = (reader: EntropyReader, { highBit, lowBit }: Scan): BlockDecoder =>
  highBit === 0
    ? withPrediction(
        (predict) => (component, at) => {
          component.coefficients[at] = predict(component) << lowBit;
        },
        reader,
      )
    : {
        block: ({ coefficients }, at) => {
          if (reader.bits(1)) coefficients[at] = (coefficients[at] as number) | (1 << lowBit);
        },
        reset: () => undefined,
      };

/** Number of blocks that end here, with this one. */
const endOfBand = (reader: EntropyReader, run: number): number => (1 << run) + reader.bits(run);

/** @see ITU-T T.81, G.1.2.2 */
const firstAc = (reader: EntropyReader, { from, to, lowBit }: Scan): BlockDecoder => {
  let ended = 0;
  return {
    block: (component, at) => {
      if (ended > 0) {
        ended--;
        return;
      }
      const ac = required(component.ac);
      for (let k = from; k <= to; k++) {
        const symbol = reader.symbol(ac);
        const [run, bits] = [symbol >> 4, symbol & 15];
        if (bits === 0 && run < 15) {
          ended = endOfBand(reader, run) - 1;
          return;
        }
        k += run;
        if (k > to || bits > LARGEST_AC_BITS) throw new NotCopyable('a run is too long');
        if (bits > 0) component.coefficients[at + k] = reader.signed(bits) * (1 << lowBit);
      }
    },
    reset: () => {
      ended = 0;
    },
  };
};

/** Adds a bit to a coefficient that is not zero. */
const refine = (reader: EntropyReader, coefficients: Int16Array, at: number, bit: number): void => {
  const value = coefficients[at] as number;
  if (reader.bits(1) && (Math.abs(value) & bit) === 0) coefficients[at] = value + (value < 0 ? -bit : bit);
};

/** @see ITU-T T.81, G.1.2.3 */
const refinedAc = (reader: EntropyReader, { from, to, lowBit }: Scan): BlockDecoder => {
  const bit = 1 << lowBit;
  let ended = 0;
  /** Refines what is not zero, until `zeros` coefficients that are were passed. @returns where it stopped */
  const pass = (coefficients: Int16Array, at: number, k: number, zeros: number): number => {
    for (let left = zeros; k <= to; k++) {
      if (coefficients[at + k] !== 0) refine(reader, coefficients, at + k, bit);
      else if (left-- === 0) break;
    }
    return k;
  };
  const block: DecodeBlock = (component, at) => {
    const { coefficients } = component;
    let k = from;
    while (ended === 0 && k <= to) {
      const symbol = reader.symbol(required(component.ac));
      const [run, bits] = [symbol >> 4, symbol & 15];
      if (bits > 1) throw new NotCopyable('a refined coefficient has more than one bit');
      if (bits === 0 && run < 15) {
        ended = endOfBand(reader, run);
        break;
      }
      const value = bits === 0 ? 0 : reader.bits(1) ? bit : -bit;
      k = pass(coefficients, at, k, run);
      if (k > to) {
        if (value !== 0) throw new NotCopyable('a run is too long');
        return;
      }
      if (value !== 0) coefficients[at + k] = value;
      k++;
    }
    if (ended > 0) {
      pass(coefficients, at, k, BLOCK_LENGTH);
      ended--;
    }
  };
  return {
    block,
    reset: () => {
      ended = 0;
    },
  };
};

const decoderOf = (reader: EntropyReader, scan: Scan): BlockDecoder => {
  if (!scan.isProgressive) return baseline(reader);
  if (scan.from === 0) return progressiveDc(reader, scan);
  return scan.highBit === 0 ? firstAc(reader, scan) : refinedAc(reader, scan);
};

/**
 * Decodes a scan into the coefficients of its components.
 *
 * @param bytes of the file
 * @param start offset of the entropy-coded data
 * @throws NotCopyable where the data break the rules
 */
export const decodeScan = (bytes: Uint8Array, start: number, scan: Scan): void => {
  const { restartInterval, order } = scan;
  const { count, visitMcu } = order;
  const reader = readEntropy(bytes, start);
  const { block, reset } = decoderOf(reader, scan);
  let restarts = 0;
  for (let mcu = 0; mcu < count; mcu++) {
    if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0) {
      reader.restart(restarts++ % 8);
      reset();
    }
    visitMcu(mcu, block);
  }
};
