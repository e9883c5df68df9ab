import { AudioSample, type EncodedPacket } from 'mediabunny';
import { bleepAt } from '../engine/sound/bleep';
import type { MutedSpan, SilencePacket } from './silent-packets';

/** The packets of a track in order, those that are heard in a muted part replaced by silent ones. */
export async function* mutePackets(
  packets: AsyncIterable<EncodedPacket>,
  parts: readonly MutedSpan[],
  silence: SilencePacket,
): AsyncGenerator<EncodedPacket, undefined> {
  const mute = (packet: EncodedPacket, next?: EncodedPacket): EncodedPacket => {
    const data = silence(packet, next, parts);
    return data ? packet.clone({ data }) : packet;
  };
  let held: EncodedPacket | undefined;
  for await (const packet of packets) {
    if (held) yield mute(held, packet);
    held = packet;
  }
  if (held) yield mute(held);
  return undefined;
}

/**
 * Encoders spread the sound of a sample over this time before and after it: one window of AAC, 2048 samples at 48 kHz,
 * and rounding. Silence that is longer by this much on both sides of a part leaves nothing of its sound in the part.
 */
const SPREAD_SECONDS = 0.045;

/** Where and how often samples lie. */
interface Sampling {
  /** Of the first sample, in seconds of the result. */
  readonly start: number;
  readonly sampleRate: number;
}

const silence = (plane: Float32Array, { from, until }: MutedSpan, { start, sampleRate }: Sampling): void => {
  const first = Math.max(0, Math.floor((from - SPREAD_SECONDS - start) * sampleRate));
  plane.fill(0, first, Math.max(0, Math.ceil((until + SPREAD_SECONDS - start) * sampleRate)));
};

const bleep = (plane: Float32Array, { from, until }: MutedSpan, { start, sampleRate }: Sampling): void => {
  const first = Math.max(0, Math.floor((from - start) * sampleRate));
  const end = Math.min(plane.length, Math.ceil((until - start) * sampleRate));
  for (let i = first; i < end; i++) plane[i] = bleepAt(start + i / sampleRate - from, until - from);
};

/**
 * Decoded audio without the sound of the muted parts, and with their tones.
 *
 * @param sample closed if it is replaced
 * @param start of the sample in the result, in seconds
 */
export const muteSample = (sample: AudioSample, start: number, parts: readonly MutedSpan[]): AudioSample => {
  const { sampleRate, numberOfFrames, numberOfChannels, timestamp } = sample;
  const end = start + numberOfFrames / sampleRate;
  const touching = parts.filter(
    ({ from, until }) => from - SPREAD_SECONDS < end && until + SPREAD_SECONDS > start,
  );
  if (touching.length === 0) return sample;
  using source = sample;
  const sampling = { start, sampleRate };
  const data = new Float32Array(numberOfFrames * numberOfChannels);
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const plane = data.subarray(channel * numberOfFrames, (channel + 1) * numberOfFrames);
    source.copyTo(plane, { planeIndex: channel, format: 'f32-planar' });
    for (const part of touching) silence(plane, part, sampling);
    for (const part of touching) if (part.as === 'bleep') bleep(plane, part, sampling);
  }
  return new AudioSample({ data, format: 'f32-planar', numberOfChannels, sampleRate, timestamp });
};
