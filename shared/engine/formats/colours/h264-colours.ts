import { readGolomb, skipGolombs, type BitReader } from '../audio/bit-reader';
import { readUsability, type CodedColours } from './coded-colours';

/** Profiles whose sets describe the sampling of colours. */
const HIGH_PROFILES: readonly number[] = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244];
const IN_444 = 3;

/** The scales of a list, each as its distance from the one before; 0 ends them. */
const skipScales = (bits: BitReader, size: number): void => {
  let scale = 8;
  for (let left = size; left > 0 && scale !== 0; left--) {
    const code = readGolomb(bits);
    const distance = code % 2 === 1 ? (code + 1) / 2 : -code / 2;
    scale = (scale + distance + 256) % 256;
  }
};

const skipSampling = (bits: BitReader): void => {
  const { read, skip } = bits;
  const sampling = readGolomb(bits);
  if (sampling === IN_444) skip(1);
  skipGolombs(bits, 2);
  skip(1);
  if (read(1) === 0) return;
  const lists = sampling === IN_444 ? 12 : 8;
  for (let list = 0; list < lists; list++) if (read(1) === 1) skipScales(bits, list < 6 ? 16 : 64);
};

/** How the order of frames is coded. */
const skipOrder = (bits: BitReader): void => {
  const type = readGolomb(bits);
  if (type === 0) readGolomb(bits);
  if (type !== 1) return;
  bits.skip(1);
  skipGolombs(bits, 2);
  skipGolombs(bits, readGolomb(bits));
};

/**
 * Colours that a sequence parameter set of H.264 states.
 *
 * @param bits from the header of its unit on
 * @throws RangeError where it is unreadable
 * @see ITU-T H.264, 7.3.2.1.1
 */
export const readH264Colours = (bits: BitReader): CodedColours => {
  const { read, skip } = bits;
  skip(8);
  const profile = read(8);
  skip(16);
  readGolomb(bits);
  if (HIGH_PROFILES.includes(profile)) skipSampling(bits);
  readGolomb(bits);
  skipOrder(bits);
  readGolomb(bits);
  skip(1);
  skipGolombs(bits, 2);
  // Interlaced frames have one more flag.
  if (read(1) === 0) skip(1);
  skip(1);
  if (read(1) === 1) skipGolombs(bits, 4);
  return readUsability(bits);
};
