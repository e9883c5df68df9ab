import { hasCharacters } from '../bytes';
import { kindOfRest, kindsOfComments, type RebuiltConfig } from './rebuilt-config';
import { lowBitsFirst, readWithinBits, type BitReader } from './bit-reader';

const CODEBOOK = 0x564342;
const MAX_WORD_BITS = 32;

/** Bits of a number. @see Vorbis I, section 9.2.1 */
const bitsOf = (value: number): number => (value > 0 ? 32 - Math.clz32(value) : 0);

/** Thrown at values that no decoder accepts. */
const damaged = (): RangeError => new RangeError('the setup of Vorbis is damaged');

const skipWordLengths = ({ read, skip }: BitReader, entries: number): void => {
  if (!read(1)) {
    const isSparse = read(1) === 1;
    if (!isSparse) return skip(5 * entries);
    for (let entry = 0; entry < entries; entry++) if (read(1)) skip(5);
    return;
  }
  let length = read(5) + 1;
  for (let entry = 0; entry < entries; length++) {
    if (length > MAX_WORD_BITS) throw damaged();
    entry += read(bitsOf(entries - entry));
    if (entry > entries) throw damaged();
  }
};

/** The largest number whose power of `dimensions` is not above `entries`. @see Vorbis I, section 9.2.3 */
const latticeValues = (entries: number, dimensions: number): number => {
  let value = Math.floor(entries ** (1 / dimensions));
  while ((value + 1) ** dimensions <= entries) value++;
  while (value ** dimensions > entries) value--;
  return value;
};

const skipCodebook = (bits: BitReader): void => {
  const { read, skip } = bits;
  if (read(24) !== CODEBOOK) throw damaged();
  const [dimensions, entries] = [read(16), read(24)];
  if (dimensions === 0) throw damaged();
  skipWordLengths(bits, entries);
  const lookup = read(4);
  if (lookup === 0) return;
  if (lookup > 2) throw damaged();
  skip(2 * 32);
  const valueBits = read(4) + 1;
  skip(1 + valueBits * (lookup === 1 ? latticeValues(entries, dimensions) : entries * dimensions));
};

const skipFloor = ({ read, skip }: BitReader): void => {
  const type = read(16);
  if (type > 1) throw damaged();
  if (type === 0) {
    skip(8 + 16 + 16 + 6 + 8);
    return skip(8 * (read(4) + 1));
  }
  const classes = Array.from({ length: read(5) }, () => read(4));
  const dimensions: number[] = [];
  for (let count = Math.max(-1, ...classes) + 1; count > 0; count--) {
    dimensions.push(read(3) + 1);
    const subclasses = read(2);
    skip((subclasses > 0 ? 8 : 0) + 8 * 2 ** subclasses);
  }
  skip(2);
  const rangeBits = read(4);
  for (const one of classes) skip(rangeBits * (dimensions[one] as number));
};

const skipResidue = ({ read, skip }: BitReader): void => {
  if (read(16) > 2) throw damaged();
  skip(3 * 24);
  const classes = read(6) + 1;
  skip(8);
  let books = 0;
  for (let count = classes; count > 0; count--) {
    let cascade = read(3);
    if (read(1)) cascade += read(5) * 8;
    for (; cascade > 0; cascade >>= 1) books += cascade & 1;
  }
  skip(8 * books);
};

const skipMapping = ({ read, skip }: BitReader, channels: number): void => {
  if (read(16) !== 0) throw damaged();
  const submaps = read(1) ? read(4) + 1 : 1;
  if (read(1)) skip((read(8) + 1) * 2 * bitsOf(channels - 1));
  skip(2);
  if (submaps > 1) skip(4 * channels);
  skip(submaps * 3 * 8);
};

/** Runs a reader as often as a number in front of the items says. */
const each = ({ read }: BitReader, countBits: number, skipItem: () => void): void => {
  for (let count = read(countBits) + 1; count > 0; count--) skipItem();
};

/**
 * Bits of a setup header, up to its end: encoders could write anything behind it.
 *
 * @returns undefined where the header is damaged
 * @see Vorbis I, section 4.2.4
 */
const vorbisSetupBits = (header: Uint8Array, channels: number): number | undefined =>
  readWithinBits(() => {
    const bits = lowBitsFirst(header);
    bits.skip(7 * 8); // type and name
    each(bits, 8, () => skipCodebook(bits));
    each(bits, 6, () => bits.skip(16));
    each(bits, 6, () => skipFloor(bits));
    each(bits, 6, () => skipResidue(bits));
    each(bits, 6, () => skipMapping(bits, channels));
    each(bits, 6, () => bits.skip(1 + 16 + 16 + 8));
    return bits.read(1) === 1 ? bits.position() : undefined;
  });

/** The headers are counted without the last one, whose length is what is left. */
const HEADERS = 2;
const IDENTIFICATION_BYTES = 30;
const CHANNELS_AT = 11;
const TYPE = { identification: '\x01vorbis', comments: '\x03vorbis', setup: '\x05vorbis' } as const;
const TYPE_BYTES = 7;
/** No vendor, no comments, and the framing bit. */
const NO_COMMENTS = [...Uint8Array.from(TYPE.comments, (c) => c.charCodeAt(0)), 0, 0, 0, 0, 0, 0, 0, 0, 1];

/** Splits a configuration into its three headers. @see https://www.matroska.org/technical/codec_specs.html */
const headersOf = (config: Uint8Array): readonly Uint8Array[] | undefined => {
  if (config[0] !== HEADERS) return undefined;
  let at = 1;
  const lengths: number[] = [];
  for (let header = 0; header < HEADERS; header++) {
    let length = 0;
    for (; config[at] === 0xff; at++) length += 0xff;
    length += config[at++] ?? 0;
    lengths.push(length);
  }
  const [first = 0, second = 0] = lengths;
  if (at + first + second > config.byteLength) return undefined;
  const comments = at + first;
  const setup = comments + second;
  return [config.subarray(at, comments), config.subarray(comments, setup), config.subarray(setup)];
};

/** A copy of the first bits, filled with zeros to a whole byte, and what stands behind them. */
const splitAtBit = (bytes: Uint8Array, bits: number): readonly [start: Uint8Array, rest: Uint8Array] => {
  // Not `slice`: that of a `Buffer` is no copy, and the file would change.
  const start = Uint8Array.from(bytes.subarray(0, Math.ceil(bits / 8)));
  const rest = Uint8Array.from(bytes.subarray(bits >> 3));
  const used = bits % 8;
  if (used > 0) {
    start[start.byteLength - 1] = (start[start.byteLength - 1] as number) & (0xff >> (8 - used));
    rest[0] = (rest[0] as number) & (0xff << used);
  }
  return [start, rest];
};

/**
 * Rebuilds the headers of Vorbis with an empty comment header.
 *
 * @returns undefined where one of them is damaged
 * @see Vorbis I, section 4.2
 */
export const rebuildVorbisConfig = (config: Uint8Array): RebuiltConfig | undefined => {
  const [identification, comments, setup] = headersOf(config) ?? [];
  if (!identification || !comments || !setup) return undefined;
  const isKnown =
    identification.byteLength >= IDENTIFICATION_BYTES &&
    hasCharacters(identification, 0, TYPE.identification) &&
    hasCharacters(comments, 0, TYPE.comments) &&
    hasCharacters(setup, 0, TYPE.setup);
  const setupBits = isKnown ? vorbisSetupBits(setup, identification[CHANNELS_AT] as number) : undefined;
  if (setupBits === undefined) return undefined;
  const [setupStart, rest] = splitAtBit(setup, setupBits);
  return {
    bytes: Uint8Array.from([
      ...[HEADERS, IDENTIFICATION_BYTES, NO_COMMENTS.length],
      ...identification.subarray(0, IDENTIFICATION_BYTES),
      ...NO_COMMENTS,
      ...setupStart,
    ]),
    removed: [
      ...kindsOfComments(comments.subarray(TYPE_BYTES)),
      ...kindOfRest(identification.subarray(IDENTIFICATION_BYTES)),
      ...kindOfRest(rest),
    ],
  };
};
