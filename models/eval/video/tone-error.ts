import type { HdrTransfer } from '#shared/domain/hdr';
import { PRIMARIES } from '#shared/engine/colour/code-points';
import { rasterOfHdr } from '#shared/engine/colour/hdr-raster';
import { peakSignalOf } from '#shared/engine/colour/hdr-light';
import { createToneMap } from '#shared/engine/colour/tone-map';
import { toneTable } from '#shared/engine/colour/tone-table';
import type { Vector3 } from '#shared/engine/colour/srgb';
import { deltaE, labOf } from './delta-e';

const BT_2020 = PRIMARIES[9]!;
const DISPLAY_GAMMA = 2.4;
const LEVELS = 9;

/** Differences of colours as seen, CIEDE2000. */
export interface ToneError {
  readonly mean: number;
  readonly max: number;
}

/** Greys from black to the peak. */
const greys = (peak: number): Vector3[] =>
  Array.from({ length: 1024 }, (_, i): Vector3 => [(peak * i) / 1023, (peak * i) / 1023, (peak * i) / 1023]);

/** All colours of nine levels. */
const chart = (peak: number): Vector3[] =>
  Array.from({ length: LEVELS ** 3 }, (_, i) =>
    [i / LEVELS ** 2, i / LEVELS, i].map((value) => (peak * (Math.floor(value) % LEVELS)) / (LEVELS - 1)),
  ) as unknown as Vector3[];

/** Codes of 10 bits in limited range, as a decoder delivers them. */
const codesOf = ([red, green, blue]: Vector3): Vector3 => {
  const luma = 0.2627 * red + 0.678 * green + 0.0593 * blue;
  return [64 + 876 * luma, 512 + (896 * (blue - luma)) / 1.8814, 512 + (896 * (red - luma)) / 1.4746].map(
    Math.round,
  ) as unknown as Vector3;
};

/** What these codes stand for, exactly. */
const signalOf = ([y, u, v]: Vector3): Vector3 => {
  const luma = (y - 64) / 876;
  const [red, blue] = [luma + (1.4746 * (v - 512)) / 896, luma + (1.8814 * (u - 512)) / 896];
  return [red, (luma - 0.2627 * red - 0.0593 * blue) / 0.678, blue];
};

const seen = (levels: readonly number[]): Vector3 =>
  levels.map((level) => level ** DISPLAY_GAMMA) as unknown as Vector3;

const measure = (transfer: HdrTransfer, colours: readonly Vector3[]): ToneError => {
  const map = createToneMap(transfer, BT_2020);
  const tones = toneTable(transfer, 9);
  const codes = colours.map(codesOf);
  const [width, height] = [colours.length, 1];
  const [y, u, v] = [0, 1, 2].map((plane) => Uint16Array.from(codes, (code) => code[plane as 0 | 1 | 2]));
  const planes = { y: y!, u: u!, v: v!, strideY: width, strideUv: width, shiftX: 0, shiftY: 0 } as const;
  const coding = { matrix: 'bt2020', fullRange: false } as const;
  const { data } = rasterOfHdr({ width, height, ...planes }, { coding, bits: 10, tones });
  const errors = codes.map((code, i) => {
    const signal = signalOf(code).map((value) => Math.max(0, value)) as unknown as Vector3;
    const pixel = [...data.subarray(4 * i, 4 * i + 3)].map((level) => level / 255);
    return deltaE(labOf(seen(map(signal))), labOf(seen(pixel)));
  });
  return { mean: errors.reduce((sum, error) => sum + error, 0) / errors.length, max: Math.max(...errors) };
};

/** Differences between the conversion of planes, by its table and in 8 bits, and the exact formulas in 64 bits. */
export const measureToneError = (
  transfer: HdrTransfer,
): { readonly greys: ToneError; readonly chart: ToneError } => {
  const peak = peakSignalOf(transfer);
  return { greys: measure(transfer, greys(peak)), chart: measure(transfer, chart(peak)) };
};
