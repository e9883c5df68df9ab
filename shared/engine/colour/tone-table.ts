import type { HdrTransfer } from '../../domain/hdr';
import { OPAQUE } from '../../domain/raster';
import { PRIMARIES } from './code-points';
import { peakSignalOf } from './hdr-light';
import { createToneMap, type ToneMap, type ToneOutput } from './tone-map';

/** Points along each of red, green and blue. */
const POINTS = 33;
const CHANNELS = 3;
/** Offsets from a point to the next one along each channel. */
const RED = POINTS * POINTS * CHANNELS;
const GREEN = POINTS * CHANNELS;
const BLUE = CHANNELS;
/** From the black corner of a cell to the white one. */
const WHITE = RED + GREEN + BLUE;

/** Signals are whole numbers up to this one, which is the last point. */
export const FULL_SIGNAL = 1 << 16;
const STEP_BITS = 11;
const STEP = 1 << STEP_BITS;
/** Fractional bits of the table's levels: sums of the products below fit in 31 bits. */
const LEVEL_BITS = 8;
const SHIFT = STEP_BITS + LEVEL_BITS;
const HALF = 1 << (SHIFT - 1);

/** A tone map at points of equal distance, blue running fastest: levels 0..255 of BT.709 with fractional bits. */
export interface ToneTable {
  /** The signal 0..1 that `FULL_SIGNAL` stands for; brighter ones are cut off. */
  readonly peakSignal: number;
  readonly levels: Uint16Array;
}

/** Tabulates a tone map: the exact one would take a second for a frame. */
const tabulate = (transfer: HdrTransfer, map: ToneMap): ToneTable => {
  const peakSignal = peakSignalOf(transfer);
  const signal = (point: number): number => (peakSignal * point) / (POINTS - 1);
  const levels = new Uint16Array(POINTS ** 3 * CHANNELS);
  let at = 0;
  for (let red = 0; red < POINTS; red++) {
    for (let green = 0; green < POINTS; green++) {
      for (let blue = 0; blue < POINTS; blue++, at += CHANNELS) {
        const mapped = map([signal(red), signal(green), signal(blue)]);
        mapped.forEach((value, channel) => (levels[at + channel] = Math.round(value * (255 << LEVEL_BITS))));
      }
    }
  }
  return { peakSignal, levels };
};

/** Each is computed once: that takes longer than a frame. */
const tables = new Map<string, ToneTable>();

/**
 * The table for a source.
 *
 * @param primaries one of `HDR_PRIMARIES`
 */
export const toneTable = (transfer: HdrTransfer, primaries: number, use: ToneOutput = 'video'): ToneTable => {
  const key = [transfer, primaries, use].join(' ');
  const stated = PRIMARIES[primaries];
  if (!stated) throw new Error(`no primaries with the number ${primaries}`);
  const table = tables.get(key) ?? tabulate(transfer, createToneMap(transfer, stated, use));
  tables.set(key, table);
  return table;
};

const LAST = FULL_SIGNAL - 1;
const cut = (signal: number): number => (signal <= 0 ? 0 : signal < LAST ? signal : LAST);

/**
 * The opaque pixel of a signal, by tetrahedral interpolation: from the black corner of its cell to the white one, along
 * the channel with the largest share first. So grey stays grey.
 *
 * Without arrays and closures: it runs for each pixel of a video.
 *
 * @param red whole number; `FULL_SIGNAL` is the table's peak. @returns `0xAABBGGRR`
 */
export const lookUpPixel = ({ levels }: ToneTable, red: number, green: number, blue: number): number => {
  const r = cut(red);
  const g = cut(green);
  const b = cut(blue);
  const x = r & (STEP - 1);
  const y = g & (STEP - 1);
  const z = b & (STEP - 1);
  const black = (r >> STEP_BITS) * RED + (g >> STEP_BITS) * GREEN + (b >> STEP_BITS) * BLUE;
  const white = black + WHITE;
  const largest = Math.max(x, y, z);
  const smallest = Math.min(x, y, z);
  const middle = x + y + z - largest - smallest;
  const one = black + (largest === x ? RED : largest === y ? GREEN : BLUE);
  const two = white - (smallest === z ? BLUE : smallest === y ? GREEN : RED);
  const ofBlack = STEP - largest;
  const ofOne = largest - middle;
  const ofTwo = middle - smallest;
  let pixel = OPAQUE;
  for (let channel = 0; channel < CHANNELS; channel++) {
    const sum =
      Math.imul(levels[black + channel] as number, ofBlack) +
      Math.imul(levels[one + channel] as number, ofOne) +
      Math.imul(levels[two + channel] as number, ofTwo) +
      Math.imul(levels[white + channel] as number, smallest);
    pixel |= ((sum + HALF) >> SHIFT) << (8 * channel);
  }
  return pixel;
};
