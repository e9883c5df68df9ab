import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MkvOutputFormat,
  Output,
} from 'mediabunny';
import { describe, expect, it } from 'vitest';
import type { Raster } from '#shared/domain/raster';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { B_FRAMES_MP4, B_FRAMES_VIDEO } from '../testing/b-frames-clip';
import { breakPackets, copyClip, encodeClip, framesOf, openClip, type Clip } from '../testing/clips';
import { box, changeFragments, changeIndex, u32 } from '../testing/mp4-surgery';

const FRAMES = 40;
/** Two groups of pictures: a key frame comes every two seconds. */
const SECONDS = 0.1;
const GROUP = 20;
const greyOf = (index: number): number => 20 + index * 5;
const image = (index: number, width = 64, height = 48): Raster =>
  createRaster(width, height, () => [greyOf(index), greyOf(index), greyOf(index)]);
const frames: Clip['frames'] = Array.from({ length: FRAMES }, (_, index) => [index * SECONDS, image(index)]);
const all = frames.map((_, index) => index);

/** Of each frame: the number in its content, and its time in tenths of a second. */
const shown = async (clip: Uint8Array) =>
  (await framesOf(clip)).map(({ timestampUs, raster }) => [
    Math.round((pixelAt(raster, 30, 20)[1] - greyOf(0)) / 5),
    Math.round(timestampUs / 1e6 / SECONDS),
  ]);
const lostOf = async (clip: Uint8Array): Promise<number> => {
  const reader = await openClip(clip);
  for await (const _frame of reader.frames(new AbortController().signal));
  reader.close();
  return reader.lostFrames();
};
const infoOf = async (clip: Uint8Array) => {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
  const track = (await input.getPrimaryVideoTrack())!;
  const { num, den } = await track.getPixelAspectRatio();
  const packets = [];
  for await (const { timestamp } of new EncodedPacketSink(track).packets()) packets.push(timestamp);
  return {
    seconds: await track.computeDuration(),
    aspect: num / den,
    packets,
  };
};

describe('a video', () => {
  it('with B-frames keeps all frames, in presentation order and with their times', async () => {
    const { packets } = await infoOf(B_FRAMES_MP4);
    expect(packets).not.toEqual(packets.toSorted((a, b) => a - b));
    const copied = await framesOf(await copyClip(B_FRAMES_MP4));
    const { frames: count, frameSeconds, greyAt } = B_FRAMES_VIDEO;
    expect(copied.map(({ timestampUs }) => Math.round(timestampUs / 1e6 / frameSeconds))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
    for (const { index, raster } of copied) {
      expect(Math.abs(pixelAt(raster, 30, 20)[1] - greyAt(index))).toBeLessThan(5);
    }
  });

  it.each([
    [4, 3],
    [16, 15],
    [8, 9],
  ])('with a pixel aspect ratio of %i to %i keeps it, also when it is turned', async (num, den) => {
    for (const rotation of [0, 90] as const) {
      const source = withPixelAspect(await encodeClip({ frames, metadata: { rotation } }), num, den);
      const [before, after] = [await infoOf(source), await infoOf(await copyClip(source))];
      // Counted in whole pixels of a screen.
      expect(before.aspect).toBeCloseTo(num / den, 1);
      expect(after.aspect).toBeCloseTo(rotation === 0 ? before.aspect : 1 / before.aspect, 1);
      expect(after.aspect === 1).toBe(false);
    }
  });

  it('keeps its duration, with an error of less than a frame', async () => {
    for (const container of ['mp4', 'mov', 'mkv', 'fragmented'] as const) {
      const source = await encodeClip({ frames, container });
      const [before, after] = [await infoOf(source), await infoOf(await copyClip(source))];
      expect(Math.abs(after.seconds - before.seconds), container).toBeLessThanOrEqual(SECONDS);
      expect(await shown(await copyClip(source)), container).toEqual(all.map((index) => [index, index]));
    }
  });

  it('without a key frame at its start begins with the first key frame, and the lost frames are counted', async () => {
    const source = await withoutFirstKeyFrame(await encodeClip({ frames }));
    const kept = all.slice(GROUP);
    expect(await shown(source)).toEqual(kept.map((index) => [index, index]));
    expect(await lostOf(source)).toBe(GROUP);
    expect(await shown(await copyClip(source))).toEqual(kept.map((index) => [index, index]));
  });

  it('that changes its frame size is refused', async () => {
    const parts = await Promise.all(
      [64, 96].map((width) => encodeClip({ frames: [[0, image(0, width)]], container: 'mkv', codec: 'vp9' })),
    );
    const refused = {
      name: 'UnreadableFile',
      message: expect.stringContaining('changes the size') as string,
    };
    await expect(framesOf(await joined(parts))).rejects.toMatchObject(refused);
  });

  it('keeps a last frame of duration 0', async () => {
    const source = withoutLastDuration(await encodeClip({ frames }));
    expect((await infoOf(source)).seconds).toBeCloseTo((FRAMES - 1) * SECONDS);
    expect(await shown(source)).toEqual(all.map((index) => [index, index]));
    expect(await shown(await copyClip(source))).toEqual(all.map((index) => [index, index]));
  });
});

const NAL_TYPE = 0x1f;
const [SLICE, KEY_SLICE] = [1, 5];

/** A clip that was cut in the middle of a group of pictures. */
const withoutFirstKeyFrame = async (clip: Uint8Array): Promise<Uint8Array> => {
  const cut = await breakPackets(clip, [0], (packet) => {
    const view = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
    for (let at = 0; at < view.byteLength; at += 4 + view.readUInt32BE(at)) {
      const header = view[at + 4] as number;
      if ((header & NAL_TYPE) === KEY_SLICE) view[at + 4] = (header & ~NAL_TYPE) | SLICE;
    }
  });
  return withKeyFrames(cut, [GROUP]);
};

/** Replaces the list of key frames, whose numbers begin with 1. */
const withKeyFrames = (clip: Uint8Array, keys: readonly number[]): Uint8Array =>
  changeIndex(clip, (path) =>
    path.endsWith('/stss') ? u32(0, keys.length, ...keys.map((index) => index + 1)) : undefined,
  );

/** Joins the packets of several clips in one track, with a second between clips. */
const joined = async (clips: readonly Uint8Array[]): Promise<Uint8Array> => {
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat(), target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source);
  await output.start();
  for (const [second, clip] of clips.entries()) {
    using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) });
    const track = (await input.getPrimaryVideoTrack())!;
    const decoderConfig = (await track.getDecoderConfig())!;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet.clone({ timestamp: second + packet.timestamp }), { decoderConfig });
    }
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
};

const withoutLastDuration = (clip: Uint8Array): Uint8Array =>
  changeIndex(clip, (path, content) => {
    if (!path.endsWith('/stts')) return undefined;
    const delta = Buffer.from(content).readUInt32BE(12);
    return u32(0, 2, FRAMES - 1, delta, 1, 0);
  });

const withPixelAspect = (clip: Uint8Array, num: number, den: number): Uint8Array =>
  changeIndex(clip, (path, content) => {
    if (!path.endsWith('/stsd')) return undefined;
    const pasp = Buffer.concat([u32(16), Buffer.from('pasp'), u32(num, den)]);
    const changed = Buffer.concat([content, pasp]);
    // The only entry begins after version and count.
    changed.writeUInt32BE(changed.readUInt32BE(8) + pasp.byteLength, 8);
    return changed;
  });

/** The same description twice, with a mark in the first. @param stsd with one */
const twoDescriptions = (stsd: Uint8Array): Uint8Array => {
  const last = Buffer.from(stsd.subarray(8));
  const first = Buffer.concat([last, box('free', Buffer.from('first'))]);
  first.writeUInt32BE(first.byteLength);
  return Buffer.concat([u32(0, 2), first, last]);
};

/** @param used the number of the one that its samples have */
const withTwoDescriptions = (clip: Uint8Array, used: 1 | 2): Uint8Array =>
  changeIndex(clip, (path, content) => {
    if (path.endsWith('stbl/stsc')) return Buffer.concat([content.subarray(0, -4), u32(used)]);
    return path.endsWith('stbl/stsd') ? twoDescriptions(content) : undefined;
  });

/** The same in fragments. @param inTrack the number that they leave to their track @param own what each states */
const withTwoInFragments = (clip: Uint8Array, inTrack: 1 | 2, own: readonly (1 | 2)[] = []): Uint8Array => {
  let next = 0;
  return changeFragments(clip, (path, content) => {
    if (path.endsWith('stbl/stsd')) return twoDescriptions(content);
    if (path === 'moov/mvex/trex') {
      return Buffer.concat([content.subarray(0, 8), u32(inTrack), content.subarray(12)]);
    }
    const description = own[next % own.length];
    if (description === undefined) return undefined;
    const changed = Buffer.from(content);
    if (path === 'moof/traf/tfhd') {
      changed.writeUInt8(content[3]! | 2, 3);
      return Buffer.concat([changed.subarray(0, 8), u32(description), changed.subarray(8)]);
    }
    if (path !== 'moof/traf/trun') return undefined;
    next++;
    changed.writeUInt32BE(changed.readUInt32BE(8) + 4, 8);
    return changed;
  });
};

describe('a video with two descriptions of its coding', () => {
  const inFragments = () => encodeClip({ frames, container: 'fragmented' });
  const refusal = /changes the description of its coding/;

  it('is read where all samples have the last one, as the demuxer takes it', async () => {
    expect(await framesOf(withTwoDescriptions(await encodeClip({ frames }), 2))).toHaveLength(FRAMES);
    const clip = await inFragments();
    expect(await framesOf(withTwoInFragments(clip, 2))).toHaveLength(FRAMES);
    expect(await framesOf(withTwoInFragments(clip, 1, [2, 2]))).toHaveLength(FRAMES);
  });

  it('is refused where samples have another one', async () => {
    const clip = withTwoDescriptions(await encodeClip({ frames }), 1);
    await expect(openClip(clip)).rejects.toThrow(refusal);
  });

  it('is refused where a fragment, or the track for its fragments, states another one', async () => {
    const clip = await inFragments();
    await expect(openClip(withTwoInFragments(clip, 1))).rejects.toThrow(refusal);
    await expect(openClip(withTwoInFragments(clip, 2, [2, 1]))).rejects.toThrow(refusal);
    const stated = changeFragments(withTwoInFragments(clip, 1), (path, content) =>
      path === 'moov/mvex' ? Buffer.concat([content, box('trex', u32(0, 1, 2, 0, 0, 0))]) : undefined,
    );
    await expect(openClip(stated), 'the first statement for a track counts').rejects.toThrow(refusal);
  });
});
