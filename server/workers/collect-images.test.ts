import { expect, it, vi } from 'vitest';
import { collectLargeImages } from './collect-images';

const MIB = 1024 ** 2;

it.each([
  [1280 * 720 * 4, 0],
  [128 * MIB, 1],
  [8000 * 6000 * 4, 1],
])('after an image of %i bytes garbage is collected %i times', (bytes, times) => {
  const collect = vi.fn();
  collectLargeImages(bytes, collect);
  expect(collect).toHaveBeenCalledTimes(times);
});

it('the bytes of an image that a thread holds count', () => {
  const collect = vi.fn();
  const held = new Uint8Array(160 * MIB);
  collectLargeImages(undefined, collect);
  expect(collect).toHaveBeenCalledTimes(1);
  expect(held.byteLength).toBe(160 * MIB);
});
