import { writeAcCoefficient, writeDcDifference, ZERO_RUN } from './baseline-scan';
import type { EntropySink, ScanWriter } from './entropy-writer';
import { BLOCK_LENGTH, type JpegBlocks, type JpegComponent } from './jpeg-blocks';
import { mcuOrder, mcusOf } from './visit-blocks';

/** One scan of a progressive file. */
export interface ProgressiveScan {
  readonly components: readonly JpegComponent[];
  /** First and last coefficient, in zigzag order. */
  readonly from: number;
  readonly to: number;
  /** Bits that are left out: by the scan of the same coefficients before (0: there is none), and by this one. */
  readonly highBit: number;
  readonly lowBit: number;
}

const LAST = BLOCK_LENGTH - 1;
/** Longest run of blocks that end together, and most bits that wait for its end. */
const LONGEST_RUN = 0x7fff;
const MAX_WAITING_BITS = 937;

/** First chroma and roughly, then luma and the lowest bits: the order that libjpeg's users know. */
export const progressiveScans = ({ components }: JpegBlocks): readonly ProgressiveScan[] => {
  const [luma, ...chroma] = components as [JpegComponent, ...JpegComponent[]];
  const scan = (
    of: readonly JpegComponent[],
    [from, to]: readonly [number, number],
    [highBit, lowBit]: readonly [number, number],
  ): ProgressiveScan => ({ components: of, from, to, highBit, lowBit });
  return [
    scan(components, [0, 0], [0, 1]),
    scan([luma], [1, 5], [0, 2]),
    ...chroma.map((one) => scan([one], [1, LAST], [0, 1])),
    scan([luma], [6, LAST], [0, 2]),
    scan([luma], [1, LAST], [2, 1]),
    scan(components, [0, 0], [1, 0]),
    ...chroma.map((one) => scan([one], [1, LAST], [1, 0])),
    scan([luma], [1, LAST], [1, 0]),
  ];
};

/** Writes the blocks of a scan, one after another. */
type PutBlock = (component: JpegComponent, at: number) => void;

/** @see ITU-T T.81, G.1.2.1 */
const dcScan =
  ({ components, highBit, lowBit }: ProgressiveScan) =>
  (sink: EntropySink): { block: PutBlock } => {
    const last = new Map(components.map((component) => [component, 0]));
    return {
      block: (component, at) => {
        const value = (component.coefficients[at] as number) >> lowBit;
        if (highBit > 0) {
          sink.bits(value & 1, 1);
          return;
        }
        writeDcDifference(sink, component === components[0] ? 0 : 1, value - (last.get(component) as number));
        last.set(component, value);
      },
    };
  };

/** Blocks that end together, and bits that belong behind their end. @see ITU-T T.81, G.1.2.2 */
const createRun = (sink: EntropySink): { end: () => void; add: (bits: readonly number[]) => void } => {
  let length = 0;
  const waiting: number[] = [];
  const end = (): void => {
    if (length === 0) return;
    const bits = 31 - Math.clz32(length);
    sink.symbol(0, bits << 4);
    sink.bits(length, bits);
    for (const bit of waiting) sink.bits(bit, 1);
    length = 0;
    waiting.length = 0;
  };
  const add = (bits: readonly number[]): void => {
    length++;
    for (const bit of bits) waiting.push(bit);
    if (length === LONGEST_RUN || waiting.length > MAX_WAITING_BITS) end();
  };
  return { end, add };
};

/** A coefficient without its lowest bits, towards zero. */
const shortened = (value: number, lowBit: number): number =>
  value < 0 ? -(-value >> lowBit) : value >> lowBit;

const firstScan =
  ({ from, to, lowBit }: ProgressiveScan) =>
  (sink: EntropySink): { block: PutBlock; end: () => void } => {
    const ended = createRun(sink);
    const block: PutBlock = ({ coefficients }, at) => {
      let run = 0;
      for (let k = from; k <= to; k++) {
        const value = shortened(coefficients[at + k] as number, lowBit);
        if (value === 0) {
          run++;
          continue;
        }
        ended.end();
        for (; run > 15; run -= 16) sink.symbol(0, ZERO_RUN);
        writeAcCoefficient(sink, 0, run, value);
        run = 0;
      }
      if (run > 0) ended.add([]);
    };
    return { block, end: ended.end };
  };

/** @see ITU-T T.81, G.1.2.3 */
const refiningScan =
  ({ from, to, lowBit }: ProgressiveScan) =>
  (sink: EntropySink): { block: PutBlock; end: () => void } => {
    const ended = createRun(sink);
    const sizes = new Int16Array(BLOCK_LENGTH);
    /** Bits of coefficients that were not zero before; they follow the next symbol. */
    const waiting: number[] = [];
    const flush = (): void => {
      for (const bit of waiting) sink.bits(bit, 1);
      waiting.length = 0;
    };
    /** @returns place of the last coefficient that is no longer zero */
    const measure = (coefficients: Int16Array, at: number): number => {
      let lastNew = -1;
      for (let k = from; k <= to; k++) {
        sizes[k] = Math.abs(coefficients[at + k] as number) >> lowBit;
        if (sizes[k] === 1) lastNew = k;
      }
      return lastNew;
    };
    const block: PutBlock = ({ coefficients }, at) => {
      const lastNew = measure(coefficients, at);
      let run = 0;
      for (let k = from; k <= to; k++) {
        const size = sizes[k] as number;
        if (size === 0) {
          run++;
          continue;
        }
        for (; run > 15 && k <= lastNew; run -= 16) {
          ended.end();
          sink.symbol(0, ZERO_RUN);
          flush();
        }
        if (size > 1) {
          waiting.push(size & 1);
          continue;
        }
        ended.end();
        sink.symbol(0, (run << 4) | 1);
        sink.bits((coefficients[at + k] as number) < 0 ? 0 : 1, 1);
        flush();
        run = 0;
      }
      if (run > 0 || waiting.length > 0) ended.add(waiting);
      waiting.length = 0;
    };
    return { block, end: ended.end };
  };

/** Number of Huffman tables of a scan. */
export const tablesOf = ({ from, highBit, components }: ProgressiveScan): number => {
  if (from > 0) return 1;
  return highBit > 0 ? 0 : Math.min(components.length, 2);
};

export const progressiveScan = (blocks: JpegBlocks, scan: ProgressiveScan): ScanWriter => {
  const { count, visitMcu } = mcuOrder(scan.components, mcusOf(blocks, blocks.components));
  const start = scan.from === 0 ? dcScan(scan) : scan.highBit === 0 ? firstScan(scan) : refiningScan(scan);
  return (sink) => {
    const { block, end } = { end: () => undefined, ...start(sink) };
    for (let mcu = 0; mcu < count; mcu++) visitMcu(mcu, block);
    end();
  };
};
