import {
  ALL_FORMATS,
  AudioSampleSink,
  BufferSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
} from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { copyClip, encodeClip, openClip, type Clip, type Sound } from './clips';
import { withEdits } from './mp4-surgery';

const SECONDS = 1;
const BURST = { from: 0.5, to: 0.6 };
const TONE_HZ = 500;
const frames: Clip['frames'] = Array.from({ length: 25 }, (_, index) => [
  index * 0.04,
  createRaster(64, 48, () => [90, 90, 90]),
]);
/** Silence but for a burst of a tone. */
const sound = (codec: Sound['codec'], sampleRate: number, numberOfChannels: number): Sound => ({
  codec,
  sampleRate,
  numberOfChannels,
  seconds: SECONDS,
  levelAt: (seconds) =>
    seconds >= BURST.from && seconds < BURST.to ? 0.8 * Math.sin(2 * Math.PI * TONE_HZ * seconds) : 0,
});

const openAll = async (bytes: Uint8Array) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  return { input, tracks: await input.getAudioTracks() };
};

/** The packets of each track: when, and their bytes. */
const packetsOf = async (bytes: Uint8Array): Promise<(readonly [ms: number, bytes: string])[][]> => {
  const { input, tracks } = await openAll(bytes);
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

interface Heard {
  readonly codec: string | null;
  readonly channels: number;
  /** From the first sound to the last, in seconds. */
  readonly burst: readonly [from: number, to: number];
}

const LOUD = 0.3;

const burstIn = async (track: InputAudioTrack): Promise<Heard['burst']> => {
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

const heardIn = async (bytes: Uint8Array): Promise<Heard[]> => {
  const { input, tracks } = await openAll(bytes);
  using _open = input;
  const heard: Heard[] = [];
  for (const track of tracks) {
    const [codec, channels] = [await track.getCodec(), await track.getNumberOfChannels()];
    heard.push({ codec, channels, burst: await burstIn(track) });
  }
  return heard;
};

const fateOf = async (bytes: Uint8Array) => {
  const reader = await openClip(bytes);
  reader.close();
  return [reader.copiedAudioTracks, reader.reencodedAudioTracks, reader.droppedAudioTracks];
};

/** What encoders delay, and what a burst's edges lose. */
const TOLERANCE_SECONDS = 0.03;

const expectBurst = ({ burst: [from, to] }: Heard, shift = 0): void => {
  expect(Math.abs(from - BURST.from - shift)).toBeLessThan(TOLERANCE_SECONDS);
  expect(Math.abs(to - BURST.to - shift)).toBeLessThan(TOLERANCE_SECONDS);
};

describe('an audio track', () => {
  it.each([
    ['mov', 'pcm-s16'],
    ['mov', 'pcm-s24'],
    ['mkv', 'flac'],
    ['mkv', 'vorbis'],
    ['mp4', 'aac'],
  ] as const)(
    'that MP4 can hold is copied packet by packet and bit for bit: %s with %s',
    async (container, codec) => {
      const source = await encodeClip({ frames, container, sounds: [sound(codec, 48_000, 2)] });
      expect(await fateOf(source)).toEqual([1, 0, 0]);
      const packets = await packetsOf(await copyClip(source));
      expect(packets).toEqual(await packetsOf(source));
      expect(packets[0]!.length).toBeGreaterThan(1);
    },
  );

  it.each([
    ['ulaw', 8000, 1],
    ['alaw', 8000, 1],
    ['pcm-u8', 11_025, 1],
    ['pcm-s8', 44_100, 2],
  ] as const)(
    'that MP4 cannot hold is encoded as AAC, at its time: %s of %i Hz',
    async (codec, rate, channels) => {
      const source = await encodeClip({
        frames,
        container: 'mov',
        sounds: [sound('pcm-s16', 48_000, 2), sound(codec, rate, channels)],
      });
      expect(await fateOf(source)).toEqual([1, 1, 0]);
      const copy = await copyClip(source);
      expect((await packetsOf(copy))[0]).toEqual((await packetsOf(source))[0]);
      const [copied, encoded] = await heardIn(copy);
      expect([copied!.codec, encoded!.codec, encoded!.channels]).toEqual(['pcm-s16', 'aac', channels]);
      expectBurst(encoded!);
    },
  );

  it('of a coding that nothing reads is left out and counted, and the others stay', async () => {
    const sounds = [sound('ulaw', 8000, 1), sound('pcm-s16', 48_000, 2)];
    const clip = await encodeClip({ frames, container: 'mov', sounds });
    const strange = Buffer.from(clip);
    strange.write('xxxx', strange.indexOf('ulaw', strange.indexOf('stsd')), 'latin1');
    expect(await fateOf(strange)).toEqual([1, 0, 1]);
    expect(await packetsOf(await copyClip(strange))).toEqual((await packetsOf(clip)).slice(1));
  });

  it('that is encoded anew is without what an edit list hides', async () => {
    const clip = await encodeClip({ frames, container: 'mov', sounds: [sound('ulaw', 8000, 1)] });
    const shown = { lasts: 0.45, media: 0.4 };
    const [later] = await heardIn(await copyClip(withEdits(clip, [[shown], [shown]])));
    expectBurst(later!, -shown.media);
    const hidden = [
      { lasts: 0.4, media: 0 },
      { lasts: 0.3, media: 0.7 },
    ];
    const [silent] = await heardIn(await copyClip(withEdits(clip, [hidden, hidden])));
    expect(silent!.codec).toBe('aac');
    expect(silent!.burst).toEqual([Infinity, -Infinity]);
  });
});
