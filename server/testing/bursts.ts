import {
  type InputAudioTrack,
  ALL_FORMATS,
  AudioSampleSink,
  BufferSource,
  EncodedPacketSink,
  Input,
} from 'mediabunny';
import { expect } from 'vitest';
import type { Sound } from './clips';

export const SOUND_SECONDS = 1;
export const BURST = { from: 0.5, to: 0.6 };
export const TONE_HZ = 500;

/** An audio track of silence with one burst of a tone. */
export const sound = (codec: Sound['codec'], sampleRate: number, numberOfChannels: number): Sound => ({
  codec,
  sampleRate,
  numberOfChannels,
  seconds: SOUND_SECONDS,
  levelAt: (seconds) =>
    seconds >= BURST.from && seconds < BURST.to ? 0.8 * Math.sin(2 * Math.PI * TONE_HZ * seconds) : 0,
});

export const openAudio = async (bytes: Uint8Array) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  return { input, tracks: await input.getAudioTracks() };
};

/** Time and bytes of the packets of each track. */
export const packetsOf = async (bytes: Uint8Array): Promise<(readonly [ms: number, bytes: string])[][]> => {
  const { input, tracks } = await openAudio(bytes);
  using _open = input;
  const found: (readonly [number, string])[][] = [];
  for (const track of tracks) {
    const packets: (readonly [number, string])[] = [];
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      packets.push([Math.round(timestamp * 1000), Buffer.from(data).toString('base64')]);
    }
    found.push(packets);
  }
  return found;
};

export interface DetectedTone {
  readonly codec: string | null;
  readonly channels: number;
  /** First and last time at which the tone is heard, in seconds. */
  readonly burst: readonly [from: number, to: number];
}

const LOUD = 0.3;

const burstIn = async (track: InputAudioTrack): Promise<DetectedTone['burst']> => {
  let [from, to] = [Infinity, -Infinity];
  for await (const sample of new AudioSampleSink(track).samples()) {
    using part = sample;
    const levels = new Float32Array(part.numberOfFrames);
    part.copyTo(levels, { planeIndex: 0, format: 'f32-planar' });
    for (const [index, level] of levels.entries()) {
      const at = part.timestamp + index / part.sampleRate;
      if (Math.abs(level) > LOUD) [from, to] = [Math.min(from, at), Math.max(to, at)];
    }
  }
  return [from, to];
};

export const detectTones = async (bytes: Uint8Array): Promise<DetectedTone[]> => {
  const { input, tracks } = await openAudio(bytes);
  using _open = input;
  const heard: DetectedTone[] = [];
  for (const track of tracks) {
    const [codec, channels] = [await track.getCodec(), await track.getNumberOfChannels()];
    heard.push({ codec, channels, burst: await burstIn(track) });
  }
  return heard;
};

/** Tolerance at the edges of a burst, which lossy codecs change. */
const TOLERANCE_SECONDS = 0.003;

export const expectBurst = ({ burst: [from, to] }: DetectedTone, shift = 0): void => {
  expect(Math.abs(from - BURST.from - shift)).toBeLessThan(TOLERANCE_SECONDS);
  expect(Math.abs(to - BURST.to - shift)).toBeLessThan(TOLERANCE_SECONDS);
};
