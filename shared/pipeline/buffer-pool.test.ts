import { describe, expect, it } from 'vitest';
import { createBufferPool } from './buffer-pool';

const move = (memory: ArrayBuffer): ArrayBuffer => structuredClone(memory, { transfer: [memory] });
const full = (memory: ArrayBuffer): Uint8Array => new Uint8Array(memory).fill(7);

describe('a pool of buffers', () => {
  it('gives memory out again, of the size that is asked for', () => {
    const pool = createBufferPool(100, move);
    pool.give(full(pool.take(8)).buffer);
    pool.give(new ArrayBuffer(4));
    expect([...new Uint8Array(pool.take(8))]).toEqual(Array(8).fill(7));
    expect([...new Uint8Array(pool.take(8))]).toEqual(Array(8).fill(0));
  });

  it('leaves nothing to whoever kept a view of memory that was given back', () => {
    const pool = createBufferPool(100, move);
    const kept = full(pool.take(8));
    pool.give(kept.buffer);
    const next = full(pool.take(8));
    kept[0] = 9;
    expect(kept).toHaveLength(0);
    expect(next[0]).toBe(7);
  });

  it('takes memory back once', () => {
    const pool = createBufferPool(100, move);
    const memory = pool.take(8);
    pool.give(memory);
    pool.give(memory);
    expect(pool.take(8)).not.toBe(pool.take(8));
  });

  it('keeps no more than it may', () => {
    const pool = createBufferPool(8);
    pool.give(full(new ArrayBuffer(8)).buffer);
    pool.give(new ArrayBuffer(4));
    pool.give(new ArrayBuffer(16));
    expect([...new Uint8Array(pool.take(8))]).toEqual(Array(8).fill(0));
  });
});
