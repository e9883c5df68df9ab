import type { BitReader } from '../audio/bit-reader';

/** What coded frames state of their colours, by the numbers of ITU-T H.273; numbers of one meaning are one here. */
export interface CodedColours {
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
}

/** As frames are shown that state nothing. */
const UNSTATED: CodedColours = { fullRange: false, primaries: 1, transfer: 1, matrix: 1 };

/** Numbers with the meaning of another one; 2 leaves open what it is. */
const SAME = {
  primaries: { 2: 1, 7: 6 },
  transfer: { 2: 1, 6: 1, 14: 1, 15: 1 },
  matrix: { 2: 1, 5: 6 },
} as const satisfies Record<string, Record<number, number>>;

const oneOf = (same: Readonly<Record<number, number>>, stated: number): number => same[stated] ?? stated;

/** The aspect ratio is stated by two numbers. */
const OWN_ASPECT = 255;

/**
 * Colours in the sequence parameter set of H.264 or HEVC, from `vui_parameters_present_flag` on, which both have alike.
 *
 * @throws RangeError where the bits end too early
 * @see ITU-T H.264, E.1.1, and H.265, E.2.1
 */
export const readUsability = ({ read, skip }: BitReader): CodedColours => {
  if (read(1) === 0) return UNSTATED;
  if (read(1) === 1 && read(8) === OWN_ASPECT) skip(32);
  // Overscan.
  if (read(1) === 1) skip(1);
  if (read(1) === 0) return UNSTATED;
  skip(3);
  const fullRange = read(1) === 1;
  if (read(1) === 0) return { ...UNSTATED, fullRange };
  const primaries = oneOf(SAME.primaries, read(8));
  const transfer = oneOf(SAME.transfer, read(8));
  return { fullRange, primaries, transfer, matrix: oneOf(SAME.matrix, read(8)) };
};

export const areSameColours = (a: CodedColours, b: CodedColours): boolean =>
  a.fullRange === b.fullRange &&
  a.primaries === b.primaries &&
  a.transfer === b.transfer &&
  a.matrix === b.matrix;
