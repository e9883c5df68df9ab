/** Opus of a track whose packets can be replaced by silent ones. */
export interface OpusSettings {
  /** Independent streams in each packet; more than one for more than two channels. */
  readonly streams: number;
  /** Samples at the start that players skip, and by which some of them shift the sound. */
  readonly preSkip: number;
}

export const OPUS_RATE = 48_000;
/** Positions in the identification header. @see RFC 7845, section 5.1 */
const HEADER = { preSkip: 10, family: 18, streams: 19, size: 19 } as const;

/** Reads the identification header of a track. @returns undefined where it is missing or too short */
export const readOpusSettings = (header: Uint8Array | undefined): OpusSettings | undefined => {
  if (!header || header.byteLength < HEADER.size) return undefined;
  const { [HEADER.preSkip]: low = 0, [HEADER.preSkip + 1]: high = 0, [HEADER.family]: family } = header;
  const streams = family === 0 ? 1 : header[HEADER.streams];
  return streams ? { streams, preSkip: low + 256 * high } : undefined;
};

/** Samples of a frame by its configuration. @see RFC 6716, table 2 */
const frameSamples = (configuration: number): number => {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration % 4] as number;
  return configuration < 16 ? 480 << (configuration % 2) : 120 << (configuration % 4);
};

/** Samples that a packet decodes to. @see RFC 6716, section 3.1 */
export const opusPacketSamples = ([head = 0, count = 0]: Uint8Array): number => {
  const frames = [1, 2, 2, count % 64][head % 4] as number;
  return frames * frameSamples(head >> 3);
};

/** Payload of a frame with the flag for silence. */
const SILENCE = [0xff, 0xfe];
/** Sizes of the frames that are built, in samples; the longest frame that divides a packet is used. */
const FRAME_SAMPLES = [960, 480, 240, 120];
/** The configuration of the shortest of these frames: CELT with the full band. */
const FIRST_CONFIGURATION = 28;
const STEREO_BIT = 4;
const ANY_COUNT = 3;
const MAX_SAMPLES = 5760;

/**
 * A packet that decodes to silence, as long as another one.
 *
 * @see RFC 6716, sections 3.2 and 4.3; appendix B for packets with several streams
 */
export const silentOpusPacket = ({ streams }: OpusSettings, packet: Uint8Array): Uint8Array => {
  const wanted = opusPacketSamples(packet);
  const isValid = wanted > 0 && wanted <= MAX_SAMPLES;
  const samples = isValid ? wanted : 960;
  const frame = FRAME_SAMPLES.find((size) => samples % size === 0) as number;
  const count = samples / frame;
  const stereo = streams === 1 ? (packet[0] ?? 0) & STEREO_BIT : 0;
  const configuration = FIRST_CONFIGURATION + Math.log2(frame / 120);
  const head = (configuration << 3) | stereo | (count === 1 ? 0 : ANY_COUNT);
  const payload = Array.from({ length: count }, () => SILENCE).flat();
  const start = count === 1 ? [head] : [head, count];
  const delimited = [...start, SILENCE.length, ...payload];
  const others = Array.from({ length: streams - 1 }, () => delimited).flat();
  return Uint8Array.from([...others, ...start, ...payload]);
};
