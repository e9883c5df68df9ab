import type { AudioCodec, EncodedPacket } from 'mediabunny';
import { flacPacketSamples, mutedFlacConfig, readFlacSettings, silentFlacPacket } from './silent-flac';
import { readAacConfig } from '../engine/formats/audio/aac-config';
import { bytesOfBits } from '../engine/formats/audio/bit-reader';

/** Opus of a track whose packets can be replaced by silent ones. */
interface OpusSettings {
  /** Independent streams in each packet; more than one for more than two channels. */
  readonly streams: number;
  /** Samples at the start that players skip, and by which some of them shift the sound. */
  readonly preSkip: number;
}

const OPUS_RATE = 48_000;
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

/** AAC of a track whose packets can be replaced by silent ones. */
interface AacSettings {
  readonly sampleRate: number;
  /** Samples that a packet decodes to. */
  readonly packetSamples: number;
  /** @see ISO/IEC 14496-3, table 1.19 */
  readonly channelConfiguration: number;
}

/** Elements of a packet; their numbers are those of the format. */
const ELEMENTS = { single: 0, pair: 1, lowFrequency: 3, end: 7 } as const;
type Element = Exclude<keyof typeof ELEMENTS, 'end'>;

const LAYOUTS: Readonly<Record<number, readonly Element[]>> = {
  1: ['single'],
  2: ['pair'],
  3: ['single', 'pair'],
  4: ['single', 'pair', 'single'],
  5: ['single', 'pair', 'pair'],
  6: ['single', 'pair', 'pair', 'lowFrequency'],
  7: ['single', 'pair', 'pair', 'pair', 'lowFrequency'],
};

/**
 * Reads the AudioSpecificConfig of a track.
 *
 * @returns undefined where silent packets cannot be built: other profiles than low complexity carry signals from packet
 *   to packet, or have parts that are not built here
 * @see ISO/IEC 14496-3, section 1.6.2.1
 */
export const readAacSettings = (config: Uint8Array): AacSettings | undefined => {
  const { sampleRate, packetSamples, channelConfiguration, isExtended } = readAacConfig(config) ?? {};
  if (!sampleRate || !packetSamples || channelConfiguration === undefined || isExtended) return undefined;
  return LAYOUTS[channelConfiguration] && { sampleRate, packetSamples, channelConfiguration };
};

/** Bits of a channel without signal. Its window covers the whole packet, and no band has values. */
const CHANNEL = { gain: '00000000', window: '00000000000', pulseNoiseAndGain: '000' } as const;
const COMMON_WINDOW = '1';
const NO_STEREO_MASK = '00';

const elementBits = (element: Element, instance: number): string => {
  const { gain, window, pulseNoiseAndGain } = CHANNEL;
  const head = ELEMENTS[element].toString(2).padStart(3, '0') + instance.toString(2).padStart(4, '0');
  if (element !== 'pair') return head + gain + window + pulseNoiseAndGain;
  const channel = gain + pulseNoiseAndGain;
  return head + COMMON_WINDOW + window + NO_STEREO_MASK + channel + channel;
};

/**
 * A packet that decodes to silence, as a raw_data_block.
 *
 * @see ISO/IEC 14496-3, section 4.4.2
 */
export const silentAacPacket = ({ channelConfiguration }: AacSettings): Uint8Array => {
  const layout = LAYOUTS[channelConfiguration] ?? [];
  const elements = layout.map((element, i) =>
    elementBits(element, layout.slice(0, i).filter((other) => other === element).length),
  );
  return bytesOfBits(elements.join('') + ELEMENTS.end.toString(2));
};

/** A part of a track whose sound is removed, in seconds of the result. */
export interface MutedSpan {
  readonly from: number;
  readonly until: number;
  /** What is heard instead; absent: silence. */
  readonly as?: 'bleep';
}

/**
 * Removes the sound of the muted parts from one packet. Called for all packets of a track in order.
 *
 * @param next undefined behind the last packet
 * @returns the new content; undefined if the packet keeps its own
 */
export type SilencePacket = (
  packet: EncodedPacket,
  next: EncodedPacket | undefined,
  parts: readonly MutedSpan[],
) => Uint8Array | undefined;

/** Containers round times, some of them to milliseconds. */
const ROUNDING_SECONDS = 0.002;

interface WholePackets {
  readonly secondsOf: (packet: EncodedPacket) => number;
  readonly silent: (packet: EncodedPacket) => Uint8Array;
  /** By how much players may shift the sound of a packet, in seconds. */
  readonly shiftSeconds: number;
  /** Whether a part of each packet is decoded with the following one, so that it is heard until that one ends. */
  readonly overlaps: boolean;
}

/** Replaces packets whose sound reaches into a muted part. */
const silenceWhole =
  ({ secondsOf, silent, shiftSeconds, overlaps }: WholePackets): SilencePacket =>
  (packet, next, parts) => {
    const endOf = (one: EncodedPacket): number => one.timestamp + Math.max(one.duration, secondsOf(one));
    const margin = ROUNDING_SECONDS + shiftSeconds;
    const start = packet.timestamp - margin;
    const own = endOf(packet);
    const end = overlaps ? Math.max(2 * own - packet.timestamp, next ? endOf(next) : 0) : own;
    return parts.some(({ from, until }) => from < end + margin && until > start) ? silent(packet) : undefined;
  };

/** Gaps up to this length are closed by the muxer, which moves all later samples. */
const CLOSED_GAP_SECONDS = 0.01;

/**
 * Silences single samples, both at the time that a packet states and at the one that the muxer gives it. Signed and
 * floating-point samples are 0 in all bytes.
 */
const silencePcm = (frameBytes: number, sampleRate: number): SilencePacket => {
  let end: number | undefined;
  return ({ data, timestamp }, _next, parts) => {
    const placed = end === undefined || timestamp - end >= CLOSED_GAP_SECONDS ? timestamp : end;
    const seconds = data.byteLength / frameBytes / sampleRate;
    end = placed + seconds;
    const [earlier, later] = [Math.min(timestamp, placed), Math.max(timestamp, placed)];
    const touching = parts.filter(({ from, until }) => from < later + seconds && until > earlier);
    if (touching.length === 0) return undefined;
    const silenced = data.slice();
    for (const { from, until } of touching) {
      const first = Math.max(0, Math.floor((from - later) * sampleRate));
      silenced.fill(0, first * frameBytes, Math.ceil((until - earlier) * sampleRate) * frameBytes);
    }
    return silenced;
  };
};

const silenceAac = (config: Uint8Array | undefined): SilencePacket | undefined => {
  const settings = config && readAacSettings(config);
  if (!settings) return undefined;
  const packet = silentAacPacket(settings);
  const seconds = settings.packetSamples / settings.sampleRate;
  return silenceWhole({ secondsOf: () => seconds, silent: () => packet, shiftSeconds: 0, overlaps: true });
};

const silenceOpus = (header: Uint8Array | undefined): SilencePacket | undefined => {
  const settings = readOpusSettings(header);
  if (!settings) return undefined;
  return silenceWhole({
    secondsOf: ({ data }) => opusPacketSamples(data) / OPUS_RATE,
    silent: ({ data }) => silentOpusPacket(settings, data),
    shiftSeconds: settings.preSkip / OPUS_RATE,
    overlaps: true,
  });
};

const silenceFlac = (config: Uint8Array | undefined, sampleRate: number): SilencePacket | undefined => {
  const settings = readFlacSettings(config);
  if (!settings) return undefined;
  return silenceWhole({
    secondsOf: ({ data }) => flacPacketSamples(data) / sampleRate,
    silent: ({ data }) => silentFlacPacket(settings, data),
    shiftSeconds: 0,
    overlaps: false,
  });
};

export const bytesOf = (source: AllowSharedBufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** Codecs of samples that are 0 in all bytes if they are silent, with the bits of a sample. */
const SIGNED_PCM = /^pcm-[sf](\d+)/;

/**
 * How packets of a codec are silenced without decoding them.
 *
 * @returns undefined where this is not possible: the track has to be encoded again
 */
export const packetSilencer = (codec: AudioCodec, config: AudioDecoderConfig): SilencePacket | undefined => {
  const bits = Number(SIGNED_PCM.exec(codec)?.[1]);
  if (bits > 0) return silencePcm((bits / 8) * config.numberOfChannels, config.sampleRate);
  const description = config.description && bytesOf(config.description);
  if (codec === 'aac') return silenceAac(description);
  if (codec === 'flac') return silenceFlac(description, config.sampleRate);
  return codec === 'opus' ? silenceOpus(description) : undefined;
};

/** The configuration of a track some of whose packets were silenced. */
export const mutedConfig = (codec: AudioCodec, config: AudioDecoderConfig): AudioDecoderConfig =>
  codec === 'flac' && config.description
    ? { ...config, description: mutedFlacConfig(bytesOf(config.description)) }
    : config;
