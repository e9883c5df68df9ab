import { describe, expect, it } from 'vitest';
import { isSceneCut, signFrame } from './scene-cut';
import type { Raster } from '../../domain/raster';

const paint = (value: (x: number, y: number) => number): Raster => {
  const raster = { width: 160, height: 90, data: new Uint8Array(160 * 90 * 4).fill(255) };
  for (let y = 0; y < 90; y++) {
    for (let x = 0; x < 160; x++) raster.data.fill(value(x, y), (y * 160 + x) * 4, (y * 160 + x) * 4 + 3);
  }
  return raster;
};
const street = (shift: number): Raster =>
  paint((x, y) => 60 + 50 * Math.sin((x + shift) / 9) + 40 * Math.sin(y / 7));
const isCut = (before: Raster, after: Raster): boolean => isSceneCut(signFrame(before), signFrame(after));

describe('scene cuts', () => {
  it('are detected between frames with other content and other brightness', () => {
    expect(
      isCut(
        street(0),
        paint((x, y) => (x < y ? 240 : 150)),
      ),
    ).toBe(true);
  });
  it('are not detected in a static scene or a fast pan', () => {
    expect(isCut(street(0), street(0))).toBe(false);
    expect(isCut(street(0), street(28))).toBe(false);
  });
  it('are not detected in a flash', () => {
    const flash = street(0);
    for (let i = 0; i < flash.data.length; i++) flash.data[i] = Math.min(255, flash.data[i]! + 90);
    expect(isCut(street(0), flash)).toBe(false);
  });
  it('are not detected when a large object comes into view', () => {
    const { data } = street(0);
    const bus = paint((x, y) => (x < 50 ? 230 : (data[(y * 160 + x) * 4] as number)));
    expect(isCut(street(0), bus)).toBe(false);
  });
});
