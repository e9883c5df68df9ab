import { describe, expect, it } from 'vitest';
import { RGBA, type Raster } from '../../domain/raster';
import { lumaRaster, sampleLuma } from './sample-luma';

const [width, height] = [40, 24];

/** Grey, so that its luma has no fraction. */
const grey: Raster = {
  width,
  height,
  data: Uint8Array.from({ length: width * height * RGBA }, (_, i) => {
    return i % RGBA === RGBA - 1 ? 255 : (Math.floor(i / RGBA) * 37) % 256;
  }),
};

const luma = lumaRaster(grey).luma;

describe('cells of a part of a frame', () => {
  it.each([0.5, 1, 2.2, 3, 4, 6.3])('of %d px are the same from colours and from luma', (stepPx) => {
    const area = { left: -5.5, top: 12.3, stepPx, columns: 9, rows: 7 };
    const cells = sampleLuma(lumaRaster(grey), area).values;
    sampleLuma(grey, area).values.forEach((value, i) => expect(value).toBeCloseTo(cells[i]!, 3));
  });

  it('are the means of their pixels', () => {
    const { values } = sampleLuma(grey, { left: 2, top: 4, stepPx: 2, columns: 3, rows: 2 });
    const at = (x: number, y: number): number => luma[y * width + x]!;
    const mean = (x: number, y: number) => (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4;
    const expected = [mean(2, 4), mean(4, 4), mean(6, 4), mean(2, 6), mean(4, 6), mean(6, 6)];
    values.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 3));
  });

  it('beyond the edge repeat its pixels', () => {
    const { values } = sampleLuma(grey, { left: -3, top: height - 1, stepPx: 1, columns: 4, rows: 2 });
    const corner = luma[(height - 1) * width]!;
    for (const value of values) expect(value).toBeCloseTo(corner, 3);
  });

  it('beyond the side of a panorama are those of its other side', () => {
    const area = { top: 3, stepPx: 1, columns: 5, rows: 2 };
    const panorama: Raster = { ...grey, wraps: true };
    expect(sampleLuma(panorama, { ...area, left: -5 })).toEqual(
      sampleLuma(grey, { ...area, left: width - 5 }),
    );
    expect(sampleLuma(panorama, { ...area, left: width })).toEqual(sampleLuma(grey, { ...area, left: 0 }));
  });
});
