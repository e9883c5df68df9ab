import { describe, expect, it } from 'vitest';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, noiseRaster } from '../../testing/rasters';
import { paint } from './redactors';
import { RGBA, packRgba, type Raster } from '../../domain/raster';
import { redact } from './redact';

/** The same image with bytes that begin `offset` bytes after a word boundary. */
const shifted = ({ width, height, data }: Raster, offset: number): Raster => {
  const bytes = new Uint8Array(data.length + RGBA).subarray(offset, offset + data.length);
  bytes.set(data);
  return { width, height, data: bytes };
};

describe('new colours', () => {
  it('are blended over the old ones by the coverage', () => {
    const raster = noiseRaster(256, 1, 5);
    const before = copyRaster(raster);
    const fresh = [250, 7, 130] as const;
    const alpha = Uint8Array.from({ length: 256 }, (_, x) => x);
    paint(raster, { box: boxOf(0, 0, 256, 1), alpha }, (_y, from, to, { words, start }) => {
      words.fill(packRgba(...fresh), start + from, start + to);
    });
    for (let x = 0; x < 256; x++) {
      for (const channel of [0, 1, 2] as const) {
        const old = before.data[x * RGBA + channel] as number;
        const exact = old + ((fresh[channel] - old) * x) / 255;
        expect(Math.abs((raster.data[x * RGBA + channel] as number) - exact)).toBeLessThanOrEqual(1.5);
      }
    }
    expect([...raster.data.subarray(255 * RGBA)]).toEqual([...fresh, 255]);
    expect([...raster.data.subarray(0, RGBA)]).toEqual([...before.data.subarray(0, RGBA)]);
  });

  it.each([1, 2, 3])('are written to an image whose bytes begin %i after a word boundary', (offset) => {
    const source = noiseRaster(80, 60, 9);
    for (const method of ['blur', 'pixelate', 'blacken'] as const) {
      const plan = planFor(source, [found('person', boxOf(10, 8, 70, 55))], { method });
      const plain = copyRaster(source);
      redact(plain, plan);
      const moved = shifted(source, offset);
      redact(moved, plan);
      expect([...moved.data]).toEqual([...plain.data]);
    }
  });
});
