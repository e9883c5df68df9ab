import { describe, expect, it } from 'vitest';
import { presetOf } from '../detect/quality-presets';
import type { QualityPreset } from '../../domain/options';
import { planTiles } from '../pixels/tile';
import { planTextPasses } from './find-text';

const INPUT = {
  name: 'x',
  mean: [0, 0, 0],
  std: [1, 1, 1],
  multipleOf: 32,
  longSides: [960],
  maxEnlargement: 2,
} as const;

const passesOver = (width: number, height: number, quality: QualityPreset, lowMemory = false) =>
  planTextPasses(planTiles({ width, height }, { kind: 'whole' }), INPUT, {
    scales: presetOf(quality).text.images,
    lowMemory,
  });
const scalesOf = (width: number, height: number, quality: QualityPreset): number[] => [
  ...new Set(passesOver(width, height, quality).map(({ scaleX }) => Number(scaleX.toFixed(2)))),
];

describe('text is searched', () => {
  it('in the whole image for large letters, and at its own size for small ones', () => {
    expect(scalesOf(4000, 3000, 'balanced')).toEqual([0.24, 1]);
    expect(scalesOf(1600, 1200, 'balanced')).toEqual([0.6, 1, 1.5]);
    expect(scalesOf(1600, 1200, 'fast')).toEqual([0.6, 1]);
    expect(scalesOf(4000, 3000, 'fast')).toEqual([0.24, 0.64]);
  });

  it('in small images once, enlarged', () => {
    expect(scalesOf(400, 300, 'balanced')).toEqual([2]);
  });

  it('in windows that together contain each pixel, with no more network px than a whole image', () => {
    for (const lowMemory of [false, true]) {
      const [, ...windows] = passesOver(2000, 1300, 'balanced', lowMemory);
      const seen = new Uint8Array(2000 * 1300);
      for (const { tile, netWidth, netHeight } of windows) {
        expect(Math.max(netWidth, netHeight)).toBeLessThanOrEqual(lowMemory ? 640 : 960);
        for (let y = tile.y; y < tile.y + tile.height; y++) {
          seen.fill(1, y * 2000 + tile.x, y * 2000 + tile.x + tile.width);
        }
      }
      expect(seen.indexOf(0)).toBe(-1);
    }
  });
});
