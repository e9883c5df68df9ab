const BITS = 8;

/** Reads numbers of any number of bits, one after the other. */
export interface BitReader {
  /** Bits that were read. */
  readonly position: () => number;
  /** Bits that are left. */
  readonly left: () => number;
  /** @param count at most 32 @throws RangeError where the bytes end before */
  readonly read: (count: number) => number;
  /** @throws RangeError where the bytes end before */
  readonly skip: (count: number) => void;
}

const reader = (
  { byteLength }: Uint8Array,
  bitAt: (position: number) => number,
  append: (value: number, bit: number, index: number) => number,
): BitReader => {
  const end = byteLength * BITS;
  let position = 0;
  const skip = (count: number): number => {
    if (count > end - position) throw new RangeError('the bits end too early');
    const at = position;
    position += count;
    return at;
  };
  return {
    position: () => position,
    left: () => end - position,
    skip,
    read: (count) => {
      const at = skip(count);
      let value = 0;
      for (let index = 0; index < count; index++) value = append(value, bitAt(at + index), index);
      return value;
    },
  };
};

/** Reads bits from the highest of each byte on, as MPEG does. */
export const highBitsFirst = (bytes: Uint8Array): BitReader =>
  reader(
    bytes,
    (position) => ((bytes[position >> 3] as number) >> (BITS - 1 - (position % BITS))) & 1,
    (value, bit) => value * 2 + bit,
  );

/** Reads bits from the lowest of each byte on, as Vorbis does. */
export const lowBitsFirst = (bytes: Uint8Array): BitReader =>
  reader(
    bytes,
    (position) => ((bytes[position >> 3] as number) >> (position % BITS)) & 1,
    (value, bit, index) => value + bit * 2 ** index,
  );

/** Longest number in Exp-Golomb code, without its leading zeros. */
const MAX_GOLOMB_BITS = 32;

/** A number in Exp-Golomb code: as many zeros as it has bits behind its first one. @throws RangeError where it is too long */
export const readGolomb = ({ read }: BitReader): number => {
  let zeros = 0;
  while (read(1) === 0) zeros++;
  if (zeros > MAX_GOLOMB_BITS) throw new RangeError('the number is too long');
  return 2 ** zeros - 1 + read(zeros);
};

export const skipGolombs = (bits: BitReader, count: number): void => {
  for (let left = count; left > 0; left--) readGolomb(bits);
};

/** Runs a reader of bits. @returns undefined where the bytes end too early */
export const readWithinBits = <T>(read: () => T | undefined): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Bits as text, filled with zeros to whole bytes. */
export const bytesOfBits = (bits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: Math.ceil(bits.length / BITS) }, (_, i) =>
    parseInt(bits.slice(i * BITS, (i + 1) * BITS).padEnd(BITS, '0'), 2),
  );
