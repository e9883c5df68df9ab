/** Builds a file whose structures lie at their limits. @param next pseudo-random, 0..1 */
export type BuildHostile = (next: () => number) => Uint8Array;

/** Files that are built of structures, by what is hostile about them. */
export type HostileFiles = Readonly<Record<string, BuildHostile>>;

/** Counts, sizes and offsets at which readers go wrong. */
const LIMITS = [0, 1, 2, 3, 4, 7, 8, 12, 16, 127, 128, 255, 256, 4_095, 4_096, 32_767, 65_534, 65_535];
const LARGE_LIMITS = [65_536, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1];
/** Structures of a file: from a few to as many as fit into a megabyte. */
const COUNTS = [1, 2, 10, 100, 1_000, 10_000, 60_000, 100_000, 500_000, 1_000_000];

const pick = <T>(values: readonly T[], next: () => number): T =>
  values[Math.floor(next() * values.length)] as T;

export const pickOf = pick;

/** A number of two bytes, or of four. */
export const limitOf = (next: () => number, bytes: 2 | 4 = 4): number =>
  pick(bytes === 4 ? [...LIMITS, ...LARGE_LIMITS] : LIMITS, next);

/** How many structures of so many bytes a file of up to a megabyte gets. */
export const countOf = (next: () => number, bytesEach: number, most = Number.POSITIVE_INFINITY): number =>
  Math.min(pick(COUNTS, next), most, Math.floor((1024 ** 2 - 4_096) / bytesEach));

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The same bytes again and again. */
export const repeated = (count: number, piece: ArrayLike<number>): Uint8Array => {
  const whole = Math.floor(count);
  const bytes = new Uint8Array(whole * piece.length);
  for (let index = 0; index < whole; index += 1) bytes.set(piece, index * piece.length);
  return bytes;
};

export const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

export const little = (value: number, bytes: number): number[] =>
  times(bytes, (index) => Math.floor(value / 256 ** index) % 256);
