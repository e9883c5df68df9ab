import { hasCharacters } from '../bytes';
import { kindOfRest, type RebuiltConfig } from './rebuilt-config';
import { kindsOfComments } from './vorbis-comments';
import { vorbisSetupBits } from './vorbis-setup';

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
