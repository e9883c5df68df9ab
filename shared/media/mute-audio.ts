import { AudioSample, type EncodedPacket } from 'mediabunny';
import type { MutedPart, SilencePacket } from './silent-packets';

/** The packets of a track in order, those that are heard in a muted part replaced by silent ones. */
export async function* mutePackets(
  packets: AsyncIterable<EncodedPacket>,
  parts: readonly MutedPart[],
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
 * Decoded audio without the sound of the muted parts.
 *
 * @param sample closed if it is replaced
 * @param start of the sample in the result, in seconds
 */
export const muteSample = (sample: AudioSample, start: number, parts: readonly MutedPart[]): AudioSample => {
  const { sampleRate, numberOfFrames, numberOfChannels, timestamp } = sample;
  const end = start + numberOfFrames / sampleRate;
  const touching = parts.filter(({ from, until }) => from < end && until > start);
  if (touching.length === 0) return sample;
  using source = sample;
  const data = new Float32Array(numberOfFrames * numberOfChannels);
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const plane = data.subarray(channel * numberOfFrames, (channel + 1) * numberOfFrames);
    source.copyTo(plane, { planeIndex: channel, format: 'f32-planar' });
    for (const { from, until } of touching) {
      const first = Math.max(0, Math.floor((from - start) * sampleRate));
      plane.fill(0, first, Math.ceil((until - start) * sampleRate));
    }
  }
  return new AudioSample({ data, format: 'f32-planar', numberOfChannels, sampleRate, timestamp });
};
