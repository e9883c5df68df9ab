import { describe, expect, it } from 'vitest';
import { createBufferPool } from './sample-raster';

describe('a pool of buffers', () => {
  it('reuses memory of the requested size', () => {
    const pool = createBufferPool(100);
    const [eight, four] = [pool.take(8), pool.take(4)];
    pool.give(eight);
    pool.give(four);
    expect(pool.take(8)).toBe(eight);
    expect(pool.take(8)).not.toBe(eight);
    expect(pool.take(4)).toBe(four);
  });

  it('never gives memory to two frames: memory cannot be returned twice', () => {
    const pool = createBufferPool(100);
    const memory = pool.take(8);
    pool.give(memory);
    expect(() => pool.give(memory)).toThrow('twice');
  });

  it('keeps the latest buffers up to its limit', () => {
    const pool = createBufferPool(8);
    const [first, second, large] = [pool.take(8), pool.take(8), pool.take(16)];
    for (const memory of [first, large, second]) pool.give(memory);
    expect(pool.take(8)).toBe(second);
    expect(pool.take(8)).not.toBe(first);
    expect(pool.take(16)).not.toBe(large);
  });
});
