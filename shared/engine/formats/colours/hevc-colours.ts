import { readGolomb, skipGolombs, type BitReader } from '../audio/bit-reader';
import { readUsability, type CodedColours } from './coded-colours';

const IN_444 = 3;
const PROFILE_BITS = 88;
const LEVEL_BITS = 8;

/** Profile, tier and level of the video and of its parts with fewer frames. @param parts how many of these there are */
const skipLevels = ({ read, skip }: BitReader, parts: number): void => {
  skip(PROFILE_BITS + LEVEL_BITS);
  if (parts === 0) return;
  const stated = Array.from({ length: 8 }, () => [read(1), read(1)] as const);
  for (const [profile, level] of stated.slice(0, parts)) skip(profile * PROFILE_BITS + level * LEVEL_BITS);
};

const skipSize = (bits: BitReader): void => {
  const { read, skip } = bits;
  if (readGolomb(bits) === IN_444) skip(1);
  skipGolombs(bits, 2);
  if (read(1) === 1) skipGolombs(bits, 4);
};

const skipScales = (bits: BitReader): void => {
  for (let size = 0; size < 4; size++) {
    for (let list = 0; list < 6; list += size === 3 ? 3 : 1) {
      if (bits.read(1) === 0) readGolomb(bits);
      else skipGolombs(bits, Math.min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0));
    }
  }
};

const skipTools = (bits: BitReader): void => {
  const { read, skip } = bits;
  skipGolombs(bits, 6);
  if (read(1) === 1 && read(1) === 1) skipScales(bits);
  skip(2);
  if (read(1) === 0) return;
  skip(8);
  skipGolombs(bits, 2);
  skip(1);
};

/** Distances to the frames from which one is predicted, in the order in which the next set refers to them. */
type Distances = readonly number[];

const readDistances = (bits: BitReader, count: number, sign: 1 | -1): Distances => {
  const distances: number[] = [];
  for (let last = 0; distances.length < count; distances.push(last)) {
    last += sign * (readGolomb(bits) + 1);
    bits.skip(1);
  }
  return distances;
};

/** A set that is described by its difference from the one before. */
const readFromSet = (bits: BitReader, before: Distances): Distances => {
  const sign = bits.read(1) === 1 ? -1 : 1;
  const step = sign * (readGolomb(bits) + 1);
  const all = [...before.map((distance) => distance + step), step];
  // Each is used, or else a second flag says whether it is kept.
  const kept = all.filter(() => bits.read(1) === 1 || bits.read(1) === 1);
  const past = kept.filter((distance) => distance < 0).toSorted((a, b) => b - a);
  return [...past, ...kept.filter((distance) => distance > 0).toSorted((a, b) => a - b)];
};

const skipReferences = (bits: BitReader, orderBits: number): void => {
  const { read, skip } = bits;
  let before: Distances | undefined;
  for (let left = readGolomb(bits); left > 0; left--) {
    if (before && read(1) === 1) {
      before = readFromSet(bits, before);
      continue;
    }
    const [past, future] = [readGolomb(bits), readGolomb(bits)];
    before = [...readDistances(bits, past, -1), ...readDistances(bits, future, 1)];
  }
  if (read(1) === 0) return;
  for (let left = readGolomb(bits); left > 0; left--) skip(orderBits + 1);
};

/**
 * Colours that a sequence parameter set of HEVC states.
 *
 * @param bits from the header of its unit on
 * @throws RangeError where it is unreadable
 * @see ITU-T H.265, 7.3.2.2.1
 */
export const readHevcColours = (bits: BitReader): CodedColours => {
  const { read, skip } = bits;
  skip(16 + 4);
  const parts = read(3);
  skip(1);
  skipLevels(bits, parts);
  readGolomb(bits);
  skipSize(bits);
  skipGolombs(bits, 2);
  const orderBits = readGolomb(bits) + 4;
  skipGolombs(bits, 3 * (read(1) === 1 ? parts + 1 : 1));
  skipTools(bits);
  skipReferences(bits, orderBits);
  skip(2);
  return readUsability(bits);
};
