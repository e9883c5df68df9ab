import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveTensorMemory, takeTensorData } from './tensor';

const KIB = 1024;
const empty = (): void => {
  for (let i = 0; i < 4; i++) takeTensorData(64 * KIB);
};

describe('memory of network inputs', () => {
  beforeEach(empty);
  afterEach(empty);

  it('is used again for an input that fits', () => {
    const { buffer } = takeTensorData(KIB);
    giveTensorMemory(buffer);
    const next = takeTensorData(10);
    expect(next.buffer).toBe(buffer);
    expect(next).toHaveLength(10);
    expect(takeTensorData(10).buffer).not.toBe(buffer);
  });

  it('is taken from the smallest free buffer that fits', () => {
    const [small, large] = [takeTensorData(KIB).buffer, takeTensorData(2 * KIB).buffer];
    giveTensorMemory(large);
    giveTensorMemory(small);
    expect(takeTensorData(KIB).buffer).toBe(small);
    expect(takeTensorData(KIB).buffer).toBe(large);
  });

  it('that is too small is replaced by a larger buffer', () => {
    const small = takeTensorData(KIB).buffer;
    giveTensorMemory(small);
    expect(takeTensorData(2 * KIB)).toHaveLength(2 * KIB);
    expect(takeTensorData(KIB).buffer).not.toBe(small);
  });

  it('is never used for two inputs at once', () => {
    const { buffer } = takeTensorData(KIB);
    giveTensorMemory(buffer);
    giveTensorMemory(buffer);
    expect(takeTensorData(KIB).buffer).toBe(buffer);
    expect(takeTensorData(KIB).buffer).not.toBe(buffer);
  });

  it('is taken back only if it was given out', () => {
    const { buffer } = new Float32Array(KIB);
    giveTensorMemory(buffer);
    expect(takeTensorData(KIB).buffer).not.toBe(buffer);
  });

  it('has exactly the input’s size if no buffer is free, so that it can be transferred as a whole', () => {
    expect(takeTensorData(100).buffer.byteLength).toBe(400);
  });
});
