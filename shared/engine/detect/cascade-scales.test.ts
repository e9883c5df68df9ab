import { describe, expect, it } from 'vitest';
import { cascadeScales } from './cascade-windows';
import { presetOf } from './quality-presets';
import type { QualityPreset } from '../../domain/options';

const scales = (width: number, height: number, quality: QualityPreset = 'balanced') =>
  cascadeScales({ width, height }, presetOf(quality).cascade);
const sidesOf = (...args: Parameters<typeof scales>): number[] =>
  scales(...args).map(({ longSide }) => longSide);

describe('the scales of a cascade', () => {
  it('begin with the image’s own size, within bounds', () => {
    expect(sidesOf(800, 600)[0]).toBe(800);
    expect(sidesOf(1920, 1080)[0]).toBe(1024);
    expect(sidesOf(500, 375)[0]).toBe(640);
  });

  it('enlarge no image more than improves detection', () => {
    for (const quality of ['fast', 'balanced'] as const) {
      for (const side of [1, 30, 640, 1024, 4000]) {
        for (const longSide of sidesOf(side, side, quality)) {
          expect(longSide).toBeLessThanOrEqual(Math.max(1, side * 2));
        }
      }
    }
  });

  it('begin with one run over the whole image, for all proportions and with low memory', () => {
    for (const quality of ['fast', 'balanced'] as const) {
      for (const isLowMemory of [false, true]) {
        for (const [width, height] of [
          [1024, 1024],
          [960, 640],
          [640, 1800],
          [6000, 6000],
          [30, 12_000],
        ] as const) {
          const size = { width, height };
          const [first] = cascadeScales(size, presetOf(quality).cascade, isLowMemory);
          const scale = (first?.longSide ?? 0) / Math.max(width, height);
          expect(width * height * scale ** 2).toBeLessThanOrEqual(first?.maxWindowPx ?? 0);
        }
      }
    }
  });

  it('search the whole image first, and then only the proposals', () => {
    expect(scales(1024, 768).map(({ coverage }) => coverage)).toEqual(['all', 'proposed']);
  });

  it('search all of a large image at two scales, because the coarse one loses small faces', () => {
    expect(scales(4000, 3000).map(({ longSide, coverage }) => [longSide, coverage])).toEqual([
      [768, 'all'],
      [1536, 'all'],
      [3072, 'proposed'],
      [6144, 'proposed'],
    ]);
  });

  it('are finer, the higher the quality', () => {
    expect(sidesOf(1024, 768, 'fast')).toEqual([768, 1536]);
    expect(sidesOf(1024, 768, 'balanced')).toEqual([1024, 2048]);
  });
});
