import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PngPixels } from '#shared/ports/codec';
import { encodePng } from './png-encoder';

/** A gradient, a flat part and a coarse pattern, so that each filter is the best one for some rows. */
const image = (width: number, height: number, channels: PngPixels['channels']): PngPixels => {
  const data = new Uint8Array(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const row = Math.floor(i / (width * channels));
    if (row % 3 === 0) data[i] = i * 7;
    else if (row % 3 === 1) data[i] = 200;
    else data[i] = (i * 2_654_435_761) >>> 24;
  }
  return { width, height, channels, data };
};

const pixelsOf = async (png: Uint8Array, channels: number): Promise<Uint8Array> => {
  const image = channels === 1 ? sharp(png).toColourspace('b-w') : sharp(png);
  return new Uint8Array(await image.raw().toBuffer());
};

describe('an encoded PNG', () => {
  for (const channels of [1, 3, 4] as const) {
    it.each([0, 1, 5, 9])(`contains every pixel unchanged: ${channels} channels, level %i`, async (level) => {
      const pixels = image(37, 29, channels);
      expect(await pixelsOf(encodePng(pixels, level), channels)).toEqual(pixels.data);
    });
  }

  it('is complete if it is written in several blocks', async () => {
    const pixels = image(1500, 700, 3);
    expect(Buffer.compare(await pixelsOf(encodePng(pixels, 1), 3), new Uint8Array(pixels.data))).toBe(0);
  });

  it('is smaller at a higher level', () => {
    const pixels = image(300, 300, 3);
    const [stored, quick, best] = [0, 1, 9].map((level) => encodePng(pixels, level).length);
    expect(stored).toBeGreaterThan(quick!);
    expect(quick).toBeGreaterThan(best!);
  });

  it('contains only header, pixel and end chunks', () => {
    const png = encodePng(image(64, 64, 4), 5);
    const view = new DataView(png.buffer);
    const chunks: string[] = [];
    for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
      chunks.push(String.fromCharCode(...png.subarray(at + 4, at + 8)));
    }
    expect([...new Set(chunks)]).toEqual(['IHDR', 'IDAT', 'IEND']);
  });
});
