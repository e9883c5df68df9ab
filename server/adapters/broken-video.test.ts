import { describe, expect, it } from 'vitest';
import type { Raster } from '#shared/domain/raster';
import { createRaster } from '#shared/testing/rasters';
import { breakPackets, encodeClip, openClip } from '../testing/clips';

const FRAMES = 40;
/** Two groups of pictures: a key frame comes every two seconds. */
const SECONDS = 0.1;
const GROUP = 20;

const image = (index: number): Raster =>
  createRaster(128, 96, (x, y) => [(x * 3 + index * 8) & 255, (y * 5 + index * 4) & 255, 60 + index * 4]);
const clip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from({ length: FRAMES }, (_, index) => [index * SECONDS, image(index)]),
  });
const read = async (bytes: Uint8Array) => {
  const reader = await openClip(bytes);
  const decoded = [];
  for await (const { index, timestampUs } of reader.frames(new AbortController().signal)) {
    expect(index).toBe(decoded.length);
    decoded.push(Math.round(timestampUs / 1e6 / SECONDS));
  }
  reader.close();
  return { decoded, lost: reader.lostFrames() };
};
const all = Array.from({ length: FRAMES }, (_, index) => index);
const without = (...lost: number[]) => all.filter((index) => !lost.includes(index));
const zeros = (packet: Uint8Array): void => void packet.fill(0);

describe('a video with broken frames', () => {
  it.each([
    ['in the middle of a group', [10]],
    ['in both groups', [10, 33]],
    ['next to one another', [5, 6, 7]],
    ['at its end', [39]],
  ])('loses only the broken frames: %s', async (_where, broken) => {
    expect(await read(await breakPackets(await clip(), broken, zeros))).toEqual({
      decoded: without(...broken),
      lost: broken.length,
    });
  });

  it('loses the whole group of a broken key frame', async () => {
    expect(await read(await breakPackets(await clip(), [GROUP], zeros))).toEqual({
      decoded: all.slice(0, GROUP),
      lost: GROUP,
    });
    expect(await read(await breakPackets(await clip(), [0], zeros))).toEqual({
      decoded: all.slice(GROUP),
      lost: GROUP,
    });
  });

  it('skips the rest of a group with many broken frames, and keeps the frames before and after it', async () => {
    const broken = all.slice(2, GROUP);
    const { decoded, lost } = await read(await breakPackets(await clip(), broken, zeros));
    expect(decoded).toEqual(without(...broken));
    expect(lost).toBe(broken.length);
  });

  it('is refused as damaged if no frame can be decoded', async () => {
    await expect(read(await breakPackets(await clip(), all, zeros))).rejects.toMatchObject({
      name: 'UnreadableFile',
      message: expect.stringContaining('cannot be decoded') as string,
    });
  });

  it('stops decoding when it is aborted', async () => {
    const reader = await openClip(await breakPackets(await clip(), [10], zeros));
    const abort = new AbortController();
    const frames = async (): Promise<void> => {
      for await (const { index } of reader.frames(abort.signal)) if (index === 5) abort.abort();
    };
    await expect(frames()).rejects.toThrow(/aborted/);
    reader.close();
  });
});
