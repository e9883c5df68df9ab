import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import type { Raster } from '#shared/domain/raster';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { copyClip, encodeClip, framesOf, openClip } from '../testing/clips';
import { withEdits, type EditEntry } from '../testing/mp4-surgery';

const FRAMES = 30;
const SECONDS = 0.1;
/** The grey level of each frame encodes its number in the media. */
const greyOf = (index: number): number => 20 + index * 7;
const image = (index: number): Raster =>
  createRaster(64, 48, () => [greyOf(index), greyOf(index), greyOf(index)]);
const packets = Array.from({ length: 150 }, (_, index) => Uint8Array.of(index, 1, 2, 3));
const clipWith = async (video: readonly EditEntry[], audio: readonly EditEntry[] = video) =>
  withEdits(
    await encodeClip({
      frames: Array.from({ length: FRAMES }, (_, index) => [index * SECONDS, image(index)]),
      audio: [packets],
    }),
    [video, audio],
  );

/** Of each frame: its number in the media, and its time in tenths of a second. */
const shown = async (clip: Uint8Array) =>
  (await framesOf(clip)).map(({ timestampUs, raster }) => [
    Math.round((pixelAt(raster, 30, 20)[1] - greyOf(0)) / 7) + 0,
    Math.round(timestampUs / 1e6 / SECONDS),
  ]);
const heard = async (clip: Uint8Array) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const track = (await input.getPrimaryAudioTrack())!;
  const found = [];
  for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
    found.push([data[0]!, Math.round(timestamp * 1000)]);
  }
  input.dispose();
  return found;
};
const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('media that an edit list hides', () => {
  it('are removed from the beginning and the end, frames and audio', async () => {
    const copy = await copyClip(await clipWith([{ lasts: 1, media: 0.7 }]));
    expect(await shown(copy)).toEqual(range(0, 10).map((index) => [index + 7, index]));
    const sounds = await heard(copy);
    // Audio before time 0 is preroll, which decoders need and players do not play.
    expect(sounds.filter(([, ms]) => ms! >= 0)).toEqual(
      range(0, 50).map((index) => [index + 35, index * 20]),
    );
    expect(sounds.length).toBeLessThanOrEqual(58);
  });

  it('are removed between two parts that are shown', async () => {
    const edits = [
      { lasts: 0.5, media: 0.2 },
      { lasts: 0.6, media: 2 },
    ];
    const clip = await clipWith(edits);
    const expected = [...range(2, 5), ...range(20, 6)].map((media, index) => [media, index]);
    expect(await shown(clip)).toEqual(expected);
    const copy = await copyClip(clip);
    expect(await shown(copy)).toEqual(expected);
    expect((await heard(copy)).filter(([, ms]) => ms! >= 0)).toEqual(
      [...range(10, 25), ...range(100, 30)].map((media, index) => [media, index * 20]),
    );
  });

  it('are not counted as lost frames', async () => {
    const reader = await openClip(await clipWith([{ lasts: 1, media: 0.7 }]));
    expect(reader.frameCount).toBe(10);
    let count = 0;
    for await (const frame of reader.frames(new AbortController().signal)) count += frame.index >= 0 ? 1 : 0;
    expect([count, reader.lostFrames()]).toEqual([10, 0]);
    reader.close();
  });

  it('do not shift frames and audio against each other', async () => {
    const clip = await clipWith(
      [
        { lasts: 0.5, media: -1 },
        { lasts: 1, media: 0 },
      ],
      [{ lasts: 1.5, media: 0.1 }],
    );
    const copy = await copyClip(clip);
    expect((await shown(copy))[0]).toEqual([0, 5]);
    expect((await heard(copy)).find(([, ms]) => ms === 0)).toEqual([5, 0]);
  });

  it('shorten a frame that is only partly shown', async () => {
    const [first] = await framesOf(await clipWith([{ lasts: 1, media: 0.75 }]));
    expect([first!.timestampUs, first!.durationUs].map(Math.round)).toEqual([0, 50_000]);
  });
});

describe('an edit list', () => {
  const refusal = (edits: readonly EditEntry[]) => clipWith(edits).then(framesOf);

  it('that reorders media or changes their speed is refused', async () => {
    await expect(
      refusal([
        { lasts: 1, media: 1 },
        { lasts: 1, media: 0 },
      ]),
    ).rejects.toThrow(/repeats or reorders/);
    await expect(refusal([{ lasts: 1, media: 0, rate: 2 }])).rejects.toThrow(/speed/);
  });

  it('that shows nothing is refused', async () => {
    await expect(refusal([{ lasts: 1, media: -1 }])).rejects.toThrow(/no frames/);
  });
});
