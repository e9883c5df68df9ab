import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { LIMITS, type Limits } from '#shared/domain/limits';
import type { Raster } from '#shared/domain/raster';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { contentsOf } from '../testing/mp4-surgery';
import { copyClip, encodeClip, framesOf, openClip, sourceOf, testedCodec } from '../testing/clips';

const TOLERANCE = 12;

/** Red in the upper left quarter, and a grey that encodes the frame's number elsewhere. */
const image = (index: number, width = 128, height = 96): Raster =>
  createRaster(width, height, (x, y) =>
    x < width / 2 && y < height / 2 ? [220, 20, 20] : [60 + index * 8, 60 + index * 8, 60 + index * 8],
  );
const evenly = (count: number, width?: number, height?: number) =>
  Array.from({ length: count }, (_, index) => [index * 0.04, image(index, width, height)] as const);
const packets = (count: number, seed: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) =>
    Uint8Array.from({ length: 50 + index }, (_, i) => (i * seed + index) & 255),
  );
/** A moving structure over noise that cannot be predicted from other frames. */
const moving = (index: number): Raster => {
  let state = index + 1;
  return createRaster(320, 240, (x, y) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = ((x + index * 3) ^ (y + index)) & 127;
    return [value + (state >>> 27), value, 200 - value];
  });
};
const isRed = (raster: Raster, x: number, y: number): boolean => {
  const [red, green] = pixelAt(raster, x, y);
  return red > 150 && green < 100;
};
/**
 * The clip of median size. The encoder has few sizes for a single frame, more than 5 % apart, and its threads rarely give
 * one that no bit rate gives again.
 */
const usualClip = async (clip: Parameters<typeof encodeClip>[0], encodings: number): Promise<Uint8Array> => {
  const clips: Uint8Array[] = [];
  for (let i = 0; i < encodings; i++) clips.push(await encodeClip(clip));
  return clips.toSorted((a, b) => a.byteLength - b.byteLength)[encodings >> 1]!;
};
type Place = readonly [x: number, y: number];
/** Whether two pixels differ by more than the loss of the encoder. */
const differ = (raster: Raster, a: Place, b: Place): boolean => {
  const [one, other] = [pixelAt(raster, ...a), pixelAt(raster, ...b)];
  return one.some((value, i) => Math.abs(value - other[i]!) > 2 * TOLERANCE);
};
/** The packets of each audio track. */
const audioOf = async (bytes: Uint8Array) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const tracks = [];
  for (const track of await input.getAudioTracks()) {
    const found = [];
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      found.push([Math.round(timestamp * 1000), [...data]]);
    }
    tracks.push(found);
  }
  input.dispose();
  return tracks;
};

describe('a video that is decoded and encoded again', () => {
  it('keeps every frame with its time and colours', async () => {
    const seconds = [0, 0.04, 0.1, 0.5, 0.51, 1];
    const frames = await framesOf(
      await copyClip(await encodeClip({ frames: seconds.map((at, index) => [at, image(index)]) })),
    );
    expect(frames.map(({ timestampUs }) => Math.round(timestampUs / 1000))).toEqual(
      seconds.map((at) => at * 1000),
    );
    for (const { index, raster } of frames) {
      expect(Math.abs(pixelAt(raster, 100, 80)[1] - (60 + index * 8))).toBeLessThan(TOLERANCE);
      expect(isRed(raster, 20, 20)).toBe(true);
    }
  });

  it('has no pixels in a released frame, and correct pixels in later frames', async () => {
    const reader = await openClip(await encodeClip({ frames: evenly(6) }));
    for await (const frame of reader.frames(new AbortController().signal)) {
      expect(Math.abs(pixelAt(frame.raster, 100, 80)[1] - (60 + frame.index * 8))).toBeLessThan(TOLERANCE);
      reader.release?.(frame);
      expect(frame.raster.data).toHaveLength(0);
    }
    reader.close();
  });

  it('has all audio tracks of the source bit for bit', async () => {
    const source = await encodeClip({ frames: evenly(25), audio: [packets(50, 3), packets(20, 7)] });
    expect(await audioOf(await copyClip(source))).toEqual(await audioOf(source));
  });

  it.each(['live', 'fragmented'] as const)('is read if it is fragmented: %s', async (container) => {
    const source = await encodeClip({ frames: evenly(60), audio: [packets(120, 3)], container });
    const copy = await copyClip(source);
    expect(await framesOf(copy)).toHaveLength(60);
    expect(await audioOf(copy)).toEqual(await audioOf(source));
    const cut = source.subarray(0, source.byteLength - 10);
    await expect(framesOf(cut)).rejects.toThrow(/truncated|damaged/);
  });

  it('gets one more pixel on odd sides, which H.264 does not support, and a clean aperture without it', async () => {
    const source = await encodeClip({
      frames: evenly(3, 65, 49),
      audio: [packets(5, 3)],
      codec: 'vp9',
      container: 'mkv',
    });
    const copy = await copyClip(source);
    const shown = await framesOf(copy);
    expect(shown.map(({ raster }) => [raster.width, raster.height])).toEqual(Array(3).fill([65, 49]));
    // Without the clean aperture, the added pixels are read, too.
    const uncut = Buffer.from(copy);
    uncut.write('free', uncut.indexOf('clap'), 'latin1');
    const frames = await framesOf(uncut);
    expect(frames).toHaveLength(3);
    for (const { raster } of frames) {
      expect([raster.width, raster.height]).toEqual([66, 50]);
      expect(isRed(raster, 10, 10)).toBe(true);
      for (let y = 0; y < 50; y++) expect(differ(raster, [65, y], [64, Math.min(y, 48)])).toBe(false);
      for (let x = 0; x < 66; x++) expect(differ(raster, [x, 49], [Math.min(x, 64), 48])).toBe(false);
    }
    const [video, sound] = contentsOf(copy, 'moov/trak/mdia/minf/stbl/stsd').map((one) => Buffer.from(one));
    const fields = video!.subarray(video!.indexOf('clap') + 4);
    // Width, height and the offsets of the centre, as fractions.
    expect(Array.from({ length: 8 }, (_, i) => fields.readInt32BE(i * 4))).toEqual([
      65, 1, 49, 1, -1, 2, -1, 2,
    ]);
    expect(sound!.indexOf('clap')).toBe(-1);
    expect(await audioOf(copy)).toEqual(await audioOf(source));
  });

  it('has no clean aperture with even sides', async () => {
    const copy = Buffer.from(await copyClip(await encodeClip({ frames: evenly(3) })));
    expect(copy.indexOf('clap')).toBe(-1);
  });

  it('is written as MP4 if the source is Matroska', async () => {
    const source = await encodeClip({
      frames: evenly(10),
      audio: [packets(10, 3)],
      container: 'mkv',
      codec: 'vp9',
    });
    const copy = await copyClip(source);
    expect(new TextDecoder().decode(copy.subarray(4, 8))).toBe('ftyp');
    expect(await framesOf(copy)).toHaveLength(10);
    expect(await audioOf(copy)).toEqual(await audioOf(source));
  });

  it.each([
    [90, 'upper right', 70, 20],
    [180, 'lower right', 100, 80],
    [270, 'lower left', 20, 100],
  ] as const)(
    'is upright if the source is marked as turned by %i degrees',
    async (rotation, _where, x, y) => {
      const source = await encodeClip({ frames: evenly(3), metadata: { rotation } });
      for (const bytes of [source, await copyClip(source)]) {
        const [frame] = await framesOf(bytes);
        expect([frame!.raster.width, frame!.raster.height]).toEqual(rotation === 180 ? [128, 96] : [96, 128]);
        expect(isRed(frame!.raster, x, y)).toBe(true);
      }
    },
  );

  const rule = 'has the bit rate of its source with keep-bit-rate: %s';
  const hasRate = async (_rate: string, seconds: number, count: number, encodings: number): Promise<void> => {
    const frames = Array.from({ length: count }, (_, index) => [index * seconds, moving(index)] as const);
    const source = await usualClip({ frames }, encodings);
    const copy = await copyClip(source, { keepBitRate: true });
    expect(Math.abs(copy.byteLength / source.byteLength - 1)).toBeLessThan(0.05);
    const [before, after] = [await openClip(source), await openClip(copy)];
    expect(Math.abs(after.bitRate / before.bitRate - 1)).toBeLessThan(0.05);
    expect(await framesOf(copy)).toHaveLength(count);
    before.close();
    after.close();
  };
  it.each([
    ['5 frames a second', 0.2, 60, 1],
    ['one frame', 0.04, 1, 11],
  ] as const)(rule, hasRate);
  it.each([
    ['25 frames a second', 0.04, 100, 1],
    ['14 frames in all', 0.04, 14, 1],
  ] as const)(rule, { tags: ['slow'] }, hasRate);
});

describe('a defective video', () => {
  const clip = (): Promise<Uint8Array> => encodeClip({ frames: evenly(25) });
  const refusal = async (bytes: Uint8Array): Promise<unknown> =>
    framesOf(bytes).then(
      () => 'read',
      (error: unknown) => error,
    );
  const unreadable = (sentence: RegExp) =>
    expect.objectContaining({ name: 'UnreadableFile', message: expect.stringMatching(sentence) as string });

  it('is refused if it is truncated at any place', async () => {
    const bytes = await clip();
    for (const share of [0.01, 0.3, 0.9, 0.999]) {
      const cut = bytes.subarray(0, Math.floor(bytes.byteLength * share));
      expect(await refusal(cut)).toEqual(unreadable(/truncated|index/));
    }
  });

  it('is refused if it has no index', async () => {
    const text = Buffer.from(await clip())
      .toString('latin1')
      .replace('moov', 'free');
    expect(await refusal(Buffer.from(text, 'latin1'))).toEqual(unreadable(/index/));
  });

  it.each([
    ['a playlist', '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a list for ffmpeg', 'ffconcat version 1.0\nfile /etc/passwd\n'],
    ['text', 'no video at all'],
  ])('is refused if it is %s', async (_what, text) => {
    expect(await refusal(new TextEncoder().encode(text))).toEqual(unreadable(/not a video/));
  });

  it('is refused before decoding if its frames are too large', async () => {
    const limits = { ...LIMITS, maxVideoPixels: 128 * 96 - 1 };
    await expect(testedCodec.open(sourceOf(await clip()), limits)).rejects.toEqual(unreadable(/128 × 96/));
  });

  it('is refused before decoding if all of its frames together are too large', async () => {
    const pixels = (await framesOf(await clip())).length * 128 * 96;
    const open = (maxVideoTotalPixels: number) => async () =>
      (await testedCodec.open(sourceOf(await clip()), { ...LIMITS, maxVideoTotalPixels })).close();
    await expect(open(pixels)()).resolves.toBeUndefined();
    await expect(open(pixels - 1)()).rejects.toEqual(unreadable(/all of its frames together/));
  });

  it('is refused while it is decoded if there are more frames than it states', async () => {
    const limits: { -readonly [K in keyof Limits]: Limits[K] } = { ...LIMITS };
    const reader = await testedCodec.open(sourceOf(await clip()), limits);
    limits.maxVideoTotalPixels = 3 * 128 * 96; // as if the container had stated three
    const decoded: number[] = [];
    const decode = async (): Promise<void> => {
      for await (const { index } of reader.frames(new AbortController().signal)) decoded.push(index);
    };
    await expect(decode()).rejects.toEqual(unreadable(/all of its frames together/));
    expect(decoded).toEqual([0, 1, 2]);
    reader.close();
  });

  it('is not reported as defective after an error of the disk', async () => {
    const bytes = await clip();
    const fault = new Error('no answer');
    const source = { sizeBytes: bytes.byteLength, read: () => Promise.reject(fault) };
    await expect(testedCodec.open(source, LIMITS)).rejects.toBe(fault);
  });

  it('stops decoding when it is aborted', async () => {
    const reader = await openClip(await clip());
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      for await (const { index } of reader.frames(abort.signal)) if (index === 2) abort.abort();
    };
    await expect(read()).rejects.toThrow(/aborted/);
    reader.close();
  });
});
