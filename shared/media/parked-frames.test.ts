import { describe, expect, it } from 'vitest';
import type { Raster } from '../domain/raster';
import type { VideoFrame } from '../ports/video';
import { createRaster } from '../testing/rasters';
import { createParkedFrames } from './parked-frames';
import { createBufferPool } from './sample-raster';

const SIZE = { width: 4, height: 2 };
const BYTES = 32;
const imageOf = (index: number): Raster => createRaster(SIZE.width, SIZE.height, (x, y) => [x, y, index]);

const setUp = () => {
  const pixels = createBufferPool(BYTES);
  const frames = createParkedFrames(pixels);
  const log = { restored: 0, dropped: 0 };
  const frameOf = (index: number): VideoFrame => {
    const frame = { index, timestampUs: index, durationUs: 1, raster: imageOf(index) };
    const restore = (): Raster => {
      log.restored++;
      return imageOf(index);
    };
    frames.keep(frame, { restore, drop: () => void log.dropped++ });
    return frame;
  };
  return { pixels, frames, frameOf, log };
};

describe('a parked frame', () => {
  it('has no pixels, and their memory is used for the next frame', () => {
    const { pixels, frames, frameOf } = setUp();
    const frame = frameOf(1);
    const memory = frame.raster.data.buffer;
    frames.park(frame);
    expect(frame.raster).toMatchObject({ width: 0, height: 0 });
    expect(pixels.take(BYTES)).toBe(memory);
  });

  it('can be looked at, in turn with others, and stays parked', () => {
    const { frames, frameOf } = setUp();
    const [one, other] = [frameOf(1), frameOf(2)];
    for (const frame of [one, other]) frames.park(frame);
    for (const frame of [one, other, one]) {
      expect(frames.pixelsOf(frame)).toEqual(imageOf(frame.index));
      expect(frame.raster.width).toBe(0);
    }
  });

  it('is made once for two looks in a row, and for what follows them', () => {
    const { frames, frameOf, log } = setUp();
    const frame = frameOf(1);
    frames.park(frame);
    expect(frames.pixelsOf(frame)).toBe(frames.pixelsOf(frame));
    frames.unpark(frame);
    expect(frame.raster).toEqual(imageOf(1));
    expect(log).toEqual({ restored: 1, dropped: 1 });
  });

  it('is never made again once it was given out: what is drawn into it stays', () => {
    const { frames, frameOf } = setUp();
    const frame = frameOf(1);
    frames.park(frame);
    frames.unpark(frame);
    frame.raster.data.fill(0);
    frames.park(frame);
    frames.unpark(frame);
    expect(frames.pixelsOf(frame).data.every((value) => value === 0)).toBe(true);
  });
});

describe('a released frame', () => {
  it.each([true, false])('gives all of its memory back: parked %s', (isParked) => {
    const { pixels, frames, frameOf, log } = setUp();
    const frame = frameOf(1);
    if (isParked) frames.park(frame);
    else frames.unpark(frame);
    const memory = frame.raster.data.buffer;
    frames.release(frame);
    expect(frame.raster.width).toBe(0);
    expect(log.dropped).toBe(1);
    if (!isParked) expect(pixels.take(BYTES)).toBe(memory);
  });
});

it('a frame of another reader is not parked', () => {
  const { frames } = setUp();
  const frame = { index: 1, timestampUs: 1, durationUs: 1, raster: imageOf(1) };
  frames.park(frame);
  expect(frames.pixelsOf(frame)).toEqual(imageOf(1));
});
