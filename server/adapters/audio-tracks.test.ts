import { describe, expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { BURST, expectBurst, detectTones, packetsOf, sound, SOUND_SECONDS } from '../testing/bursts';
import { copyClip, encodeClip, openClip, type Clip } from '../testing/clips';
import { withEdits } from '../testing/mp4-surgery';

const frames: Clip['frames'] = Array.from({ length: 25 * SOUND_SECONDS }, (_, index) => [
  index * 0.04,
  createRaster(64, 48, () => [90, 90, 90]),
]);

const audioCountsOf = async (bytes: Uint8Array) => {
  const reader = await openClip(bytes);
  reader.close();
  return [reader.copiedAudioTracks, reader.reencodedAudioTracks, reader.droppedAudioTracks.length];
};

describe('an audio track', () => {
  it.each([
    ['mov', 'pcm-s16'],
    ['mov', 'pcm-s24'],
    ['mkv', 'flac'],
    ['mkv', 'vorbis'],
    ['mp4', 'aac'],
  ] as const)('that MP4 can hold is copied bit for bit: %s with %s', async (container, codec) => {
    const source = await encodeClip({ frames, container, sounds: [sound(codec, 48_000, 2)] });
    expect(await audioCountsOf(source)).toEqual([1, 0, 0]);
    const packets = await packetsOf(await copyClip(source));
    expect(packets).toEqual(await packetsOf(source));
    expect(packets[0]!.length).toBeGreaterThan(1);
  });

  it.each([
    ['ulaw', 8000, 1],
    ['alaw', 8000, 1],
    ['pcm-u8', 11_025, 1],
    ['pcm-s8', 44_100, 2],
  ] as const)(
    'that MP4 cannot hold is encoded as AAC without a shift: %s of %i Hz',
    async (codec, rate, channels) => {
      const source = await encodeClip({
        frames,
        container: 'mov',
        sounds: [sound('pcm-s16', 48_000, 2), sound(codec, rate, channels)],
      });
      expect(await audioCountsOf(source)).toEqual([1, 1, 0]);
      const copy = await copyClip(source);
      expect((await packetsOf(copy))[0]).toEqual((await packetsOf(source))[0]);
      const [copied, encoded] = await detectTones(copy);
      expect([copied!.codec, encoded!.codec, encoded!.channels]).toEqual(['pcm-s16', 'aac', channels]);
      expectBurst(encoded!);
    },
  );

  it('ends where the result ends, whether it is copied or encoded again', async () => {
    const sounds = [sound('pcm-s16', 48_000, 2), sound('ulaw', 8000, 1)];
    const source = await encodeClip({ frames, container: 'mov', sounds });
    const copyUntil = async (seconds: number) =>
      detectTones(await copyClip(source, { keepBitRate: false, untilUs: seconds * 1e6 }));
    const before = await copyUntil(BURST.from - 0.1);
    expect(before.map(({ burst }) => burst)).toEqual([
      [Infinity, -Infinity],
      [Infinity, -Infinity],
    ]);
    for (const heard of await copyUntil(BURST.to + 0.1)) expectBurst(heard);
  });

  it('of an unknown codec is left out, counted and named, and the other tracks are kept', async () => {
    const sounds = [sound('ulaw', 8000, 1), sound('pcm-s16', 48_000, 2)];
    const clip = await encodeClip({ frames, container: 'mov', sounds });
    const strange = Buffer.from(clip);
    strange.write('xxxx', strange.indexOf('ulaw', strange.indexOf('stsd')), 'latin1');
    expect(await audioCountsOf(strange)).toEqual([1, 0, 1]);
    expect((await openClip(strange)).droppedAudioCodecs).toEqual(['xxxx']);
    expect(await openClip(clip)).not.toHaveProperty('droppedAudioCodecs');
    expect(await packetsOf(await copyClip(strange))).toEqual((await packetsOf(clip)).slice(1));
  });

  it('that is encoded again does not contain parts that an edit list hides', async () => {
    const clip = await encodeClip({ frames, container: 'mov', sounds: [sound('ulaw', 8000, 1)] });
    const shown = { lasts: 0.45, media: 0.4 };
    const [later] = await detectTones(await copyClip(withEdits(clip, [[shown], [shown]])));
    expectBurst(later!, -shown.media);
    const hidden = [
      { lasts: 0.4, media: 0 },
      { lasts: 0.3, media: 0.7 },
    ];
    const [silent] = await detectTones(await copyClip(withEdits(clip, [hidden, hidden])));
    expect(silent!.codec).toBe('aac');
    expect(silent!.burst).toEqual([Infinity, -Infinity]);
  });
});
