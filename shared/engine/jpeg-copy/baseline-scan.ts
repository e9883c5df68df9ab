import type { EntropySink, ScanWriter } from './entropy-writer';
import { BLOCK_LENGTH, NotCopyable, type JpegBlocks } from './jpeg-blocks';
import { mcuOrder, mcusOf } from './visit-blocks';

/** A run of 16 zeros, and the end of a block. */
export const [ZERO_RUN, END_OF_BLOCK] = [0xf0, 0x00];
const LARGEST_DC_BITS = 11;
const LARGEST_AC_BITS = 10;

const bitsOf = (value: number): number => 32 - Math.clz32(Math.abs(value));

/** A number with as many bits as it has; negative ones are stored as their complement. */
const putValue = (sink: EntropySink, value: number, bits: number): void =>
  sink.bits(value < 0 ? value - 1 : value, bits);

/** @see ITU-T T.81, F.1.2.1 */
export const writeDcDifference = (sink: EntropySink, table: number, difference: number): void => {
  const bits = bitsOf(difference);
  if (bits > LARGEST_DC_BITS) throw new NotCopyable('a DC difference is too large');
  sink.symbol(table, bits);
  putValue(sink, difference, bits);
};

/** A coefficient behind a run of at most 15 zeros. @see ITU-T T.81, F.1.2.2 */
export const writeAcCoefficient = (sink: EntropySink, table: number, run: number, value: number): void => {
  const bits = bitsOf(value);
  if (bits > LARGEST_AC_BITS) throw new NotCopyable('a coefficient is too large');
  sink.symbol(table, (run << 4) | bits);
  putValue(sink, value, bits);
};

const putAc = (sink: EntropySink, table: number, coefficients: Int16Array, at: number): void => {
  let run = 0;
  for (let k = 1; k < BLOCK_LENGTH; k++) {
    const value = coefficients[at + k] as number;
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) sink.symbol(table, ZERO_RUN);
    writeAcCoefficient(sink, table, run, value);
    run = 0;
  }
  if (run > 0) sink.symbol(table, END_OF_BLOCK);
};

/**
 * Writes all blocks in one interleaved scan.
 *
 * @returns tables 0 and 1 are those of DC for luma and chroma, 2 and 3 those of AC
 */
export const baselineScan = (blocks: JpegBlocks): ScanWriter => {
  const { components } = blocks;
  const { count, visitMcu } = mcuOrder(components, mcusOf(blocks, components));
  return (sink) => {
    const last = new Map(components.map((component) => [component, 0]));
    for (let mcu = 0; mcu < count; mcu++) {
      visitMcu(mcu, (component, at) => {
        const { coefficients } = component;
        const chroma = component === components[0] ? 0 : 1;
        writeDcDifference(sink, chroma, (coefficients[at] as number) - (last.get(component) as number));
        last.set(component, coefficients[at] as number);
        putAc(sink, 2 + chroma, coefficients, at);
      });
    }
  };
};
