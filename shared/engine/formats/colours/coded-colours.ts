import type { BitReader } from '../audio/bit-reader';

/** What coded frames state of their colours, by the numbers of ITU-T H.273. */
export interface CodedColours {
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
}

/** The number of each of them that leaves it open. */
export const UNSPECIFIED = 2;
export const UNSTATED: CodedColours = {
  fullRange: false,
  primaries: UNSPECIFIED,
  transfer: UNSPECIFIED,
  matrix: UNSPECIFIED,
};

/** Numbers with the meaning of another one. What is left open is shown as HDTV. */
const SAME = {
  primaries: { [UNSPECIFIED]: 1, 7: 6 },
  transfer: { [UNSPECIFIED]: 1, 6: 1, 14: 1, 15: 1 },
  matrix: { [UNSPECIFIED]: 1, 5: 6 },
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
  return { fullRange, primaries: read(8), transfer: read(8), matrix: read(8) };
};

export const areSameColours = (a: CodedColours, b: CodedColours): boolean =>
  a.fullRange === b.fullRange &&
  (['primaries', 'transfer', 'matrix'] as const).every(
    (name) => oneOf(SAME[name], a[name]) === oneOf(SAME[name], b[name]),
  );
