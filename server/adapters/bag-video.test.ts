import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_BAG_OPTIONS, type BagOptions } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import { i420OfRaster } from '#shared/engine/pixels/yuv';
import { createBagCodec } from '#shared/media/mcap/bag-codec';
import type { BagReader } from '#shared/ports/bag';
import type { ImageCodec } from '#shared/ports/codec';
import { base64 } from '#shared/report/byte-text';
import { makeBag, type MadeMessage } from '#shared/testing/bags';
import { createMemoryTarget, memorySource } from '#shared/testing/memory-target';
import { createRaster, pixelAt } from '#shared/testing/rasters';
import { holdWebCodecs } from './video-backend';

const SIGNAL = new AbortController().signal;
const SIZE = { width: 64, height: 48 };
const FRAMES = 14;
/** Every seventh frame is a key frame; the recording begins two frames before one. */
const KEY_EVERY = 7;
const LOST = 2;

const CODINGS = {
  h264: { codec: 'avc1.64001f', avc: { format: 'annexb' } },
  h265: { codec: 'hev1.1.6.L93.B0', hevc: { format: 'annexb' } },
} as const;
type Coding = keyof typeof CODINGS;

/** Access units of frames whose brightness is their number. */
const unitsAs = async (coding: Coding): Promise<Uint8Array[]> => {
  const units: Uint8Array[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      units.push(bytes);
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({ ...SIZE, ...CODINGS[coding], bitrate: 1e6, framerate: 25, latencyMode: 'realtime' });
  for (let index = 0; index < FRAMES + KEY_EVERY; index++) {
    const level = 20 + 10 * index;
    const raster = createRaster(SIZE.width, SIZE.height, () => [level, level, level]);
    const { width, height, data } = i420OfRaster(raster, { matrix: 'bt709', fullRange: false });
    const init = { format: 'I420', codedWidth: width, codedHeight: height, timestamp: index } as const;
    const frame = new VideoFrame(data as Uint8Array<ArrayBuffer>, init);
    encoder.encode(frame, { keyFrame: index % KEY_EVERY === 0 });
    frame.close();
  }
  await encoder.flush();
  encoder.close();
  return units;
};

const messageOf = (format: Coding, data: Uint8Array, index: number): MadeMessage => {
  const timestamp = { sec: 1000, nsec: index * 40_000_000 };
  const value = { timestamp, frame_id: 'camera', data: base64(data), format };
  return {
    ...{ channel: 0, logTime: 1000_000_000_000n + BigInt(index * 40_000_000), sequence: index },
    data: new TextEncoder().encode(JSON.stringify(value)),
  };
};

let release: () => void;
beforeAll(async () => {
  release = await holdWebCodecs();
});
afterAll(() => release());

const bagAs = async (coding: Coding): Promise<Uint8Array> => {
  const recorded = (await unitsAs(coding)).slice(KEY_EVERY - LOST);
  const messages = recorded.map((data, index) => messageOf(coding, data, index));
  const schema = { name: 'foxglove.CompressedVideo', encoding: 'jsonschema', text: '{}' };
  return makeBag({
    channels: [{ topic: '/video', encoding: 'json', schema }],
    chunks: [messages.slice(0, 5), messages.slice(5)],
    compression: '',
  });
};

const open = (bytes: Uint8Array, options: Partial<BagOptions> = {}): Promise<BagReader> =>
  createBagCodec({ loadVideo: holdWebCodecs }).open(
    memorySource(bytes),
    { options: { ...DEFAULT_BAG_OPTIONS, ...options }, limits: LIMITS, codec: {} as ImageCodec },
    SIGNAL,
  );

/** Number, brightness and brightness of the corner of each frame. */
const shown = async (reader: BagReader): Promise<(readonly number[])[]> => {
  const seen: (readonly number[])[] = [];
  for await (const { index, raster } of reader.frames(0, SIGNAL)) {
    seen.push([index, pixelAt(raster, 40, 40)[0], pixelAt(raster, 2, 2)[0]]);
  }
  return seen;
};

/** Makes the corner of each frame white. */
const hidden = async (reader: BagReader): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  const order: number[] = [];
  await reader.copy(
    target,
    async ({ index, raster }) => {
      order.push(index);
      for (let y = 0; y < 16; y++) raster.data.fill(255, y * SIZE.width * 4, (y * SIZE.width + 16) * 4);
    },
    SIGNAL,
  );
  expect(order).toEqual(order.map((_, at) => at));
  return target.bytes();
};

const near = (levels: readonly (readonly number[])[], firstLevel: number, corner?: number): void => {
  levels.forEach(([index, level, inCorner], at) => {
    const expected = firstLevel + 10 * at;
    expect(index).toBe(at);
    expect(Math.abs(level! - expected)).toBeLessThan(6);
    expect(Math.abs(inCorner! - (corner ?? expected))).toBeLessThan(8);
  });
};

it.each(['h264', 'h265'] as const)(
  'each frame of %s is hidden and becomes H.264; what nobody can decode is left out and counted',
  async (coding) => {
    const reader = await open(await bagAs(coding));
    expect(reader.facts).toMatchObject({
      topics: [{ name: '/video', frames: FRAMES, ...SIZE }],
      lostFrames: LOST,
    });
    const before = await shown(reader);
    expect(before).toHaveLength(FRAMES);
    near(before, 20 + 10 * KEY_EVERY);
    const bytes = await hidden(reader);
    expect(new TextDecoder('latin1').decode(bytes)).toMatch(/"format":"h264"/);
    const copy = await open(bytes);
    expect(copy.facts).toMatchObject({ topics: [{ frames: FRAMES }], lostFrames: 0 });
    near(await shown(copy), 20 + 10 * KEY_EVERY, 255);
  },
);

it('a part of a video begins with a key frame of its own', async () => {
  const reader = await open(await bagAs('h264'), { startS: 0.04 * (LOST + 3), endS: 0.04 * (LOST + 10) });
  expect(reader.facts.topics).toMatchObject([{ frames: 7 }]);
  const copy = await open(await hidden(reader));
  expect(copy.facts).toMatchObject({ topics: [{ frames: 7 }], lostFrames: 0 });
  near(await shown(copy), 20 + 10 * (KEY_EVERY + 3), 255);
});

it('a host without WebCodecs names the topic', async () => {
  const request = { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: {} as ImageCodec };
  await expect(createBagCodec().open(memorySource(await bagAs('h264')), request, SIGNAL)).rejects.toThrow(
    /"\/video" cannot be anonymised: .*@napi-rs\/webcodecs/,
  );
});
