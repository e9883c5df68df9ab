import { expect } from 'vitest';
import { i420OfRaster } from '../engine/pixels/yuv';
import type { BagReader } from '../ports/bag';
import { base64 } from '../report/byte-text';
import { makeBag, type MadeMessage } from './bags';
import { createMemoryTarget } from './memory-target';
import { createRaster, pixelAt } from './rasters';

const SIGNAL = new AbortController().signal;
const VIDEO_SIZE = { width: 64, height: 48 };
const VIDEO_FRAMES = 14;
/** Every seventh frame is a key frame; the recording begins two frames before one. */
export const VIDEO_KEY_EVERY = 7;
export const VIDEO_LOST = 2;

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
  encoder.configure({
    ...VIDEO_SIZE,
    ...CODINGS[coding],
    bitrate: 1e6,
    framerate: 25,
    latencyMode: 'realtime',
  });
  for (let index = 0; index < VIDEO_FRAMES + VIDEO_KEY_EVERY; index++) {
    const level = 20 + 10 * index;
    const raster = createRaster(VIDEO_SIZE.width, VIDEO_SIZE.height, () => [level, level, level]);
    const { width, height, data } = i420OfRaster(raster, { matrix: 'bt709', fullRange: false });
    const init = { format: 'I420', codedWidth: width, codedHeight: height, timestamp: index } as const;
    const frame = new VideoFrame(data as Uint8Array<ArrayBuffer>, init);
    encoder.encode(frame, { keyFrame: index % VIDEO_KEY_EVERY === 0 });
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

/** A bag of a topic with video, whose first frames nobody can decode. */
export const videoBag = async (coding: Coding): Promise<Uint8Array> => {
  const recorded = (await unitsAs(coding)).slice(VIDEO_KEY_EVERY - VIDEO_LOST);
  const messages = recorded.map((data, index) => messageOf(coding, data, index));
  const schema = { name: 'foxglove.CompressedVideo', encoding: 'jsonschema', text: '{}' };
  return makeBag({
    channels: [{ topic: '/video', encoding: 'json', schema }],
    chunks: [messages.slice(0, 5), messages.slice(5)],
    compression: '',
  });
};

/** Number, brightness and brightness of the corner of each frame. */
export const shownLevels = async (reader: BagReader): Promise<(readonly number[])[]> => {
  const seen: (readonly number[])[] = [];
  for await (const { index, raster } of reader.frames(0, SIGNAL)) {
    seen.push([index, pixelAt(raster, 40, 40)[0], pixelAt(raster, 2, 2)[0]]);
  }
  return seen;
};

/** Makes the corner of each frame white. */
export const hideCorners = async (reader: BagReader): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  const order: number[] = [];
  await reader.copy(
    target,
    async ({ index, raster }) => {
      order.push(index);
      const { width } = VIDEO_SIZE;
      for (let y = 0; y < 16; y++) raster.data.fill(255, y * width * 4, (y * width + 16) * 4);
    },
    SIGNAL,
  );
  expect(order).toEqual(order.map((_, at) => at));
  return target.bytes();
};

/** @param corner brightness of the corner; absent: as elsewhere */
export const expectLevels = (
  levels: readonly (readonly number[])[],
  firstLevel: number,
  corner?: number,
): void => {
  levels.forEach(([index, level, inCorner], at) => {
    const expected = firstLevel + 10 * at;
    expect(index).toBe(at);
    expect(Math.abs(level! - expected)).toBeLessThan(6);
    expect(Math.abs(inCorner! - (corner ?? expected))).toBeLessThan(8);
  });
};

/**
 * Expects that a host reads the video of a bag, hides parts of each frame, and writes it so that it can be read again.
 *
 * @param open opens a bag
 */
export const expectHiddenVideo = async (
  open: (bytes: Uint8Array) => Promise<BagReader>,
  coding: Coding,
): Promise<void> => {
  const reader = await open(await videoBag(coding));
  expect(reader.facts).toMatchObject({
    topics: [{ name: '/video', frames: VIDEO_FRAMES, ...VIDEO_SIZE }],
    lostFrames: VIDEO_LOST,
  });
  const before = await shownLevels(reader);
  expect(before).toHaveLength(VIDEO_FRAMES);
  expectLevels(before, 20 + 10 * VIDEO_KEY_EVERY);
  const bytes = await hideCorners(reader);
  expect(new TextDecoder('latin1').decode(bytes)).toMatch(/"format":"h264"/);
  const copy = await open(bytes);
  expect(copy.facts).toMatchObject({ topics: [{ frames: VIDEO_FRAMES }], lostFrames: 0 });
  expectLevels(await shownLevels(copy), 20 + 10 * VIDEO_KEY_EVERY, 255);
};
