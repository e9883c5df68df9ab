import type { AudioCodec, EncodedPacket } from 'mediabunny';
import { readAacSettings, silentAacPacket } from './silent-aac';
import { flacPacketSamples, mutedFlacConfig, readFlacSettings, silentFlacPacket } from './silent-flac';
import { OPUS_RATE, opusPacketSamples, readOpusSettings, silentOpusPacket } from './silent-opus';

/** A part of a track without sound, in seconds of the result. */
export interface MutedPart {
  readonly from: number;
  readonly until: number;
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
  parts: readonly MutedPart[],
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
