import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveTensorMemory, takeTensorData } from './tensor-memory';

const KIB = 1024;
const empty = (): void => {
  for (let i = 0; i < 4; i++) takeTensorData(64 * KIB);
};

describe('memory of network inputs', () => {
  beforeEach(empty);
  afterEach(empty);

  it('is used again by an input that fits in', () => {
    const { buffer } = takeTensorData(KIB);
    giveTensorMemory(buffer);
    const next = takeTensorData(10);
    expect(next.buffer).toBe(buffer);
    expect(next).toHaveLength(10);
    expect(takeTensorData(10).buffer).not.toBe(buffer);
  });

  it('that is the smallest to fit is taken', () => {
    const [small, large] = [takeTensorData(KIB).buffer, takeTensorData(2 * KIB).buffer];
    giveTensorMemory(large);
    giveTensorMemory(small);
    expect(takeTensorData(KIB).buffer).toBe(small);
    expect(takeTensorData(KIB).buffer).toBe(large);
  });

  it('that is too small makes way for larger', () => {
    const small = takeTensorData(KIB).buffer;
    giveTensorMemory(small);
    expect(takeTensorData(2 * KIB)).toHaveLength(2 * KIB);
    expect(takeTensorData(KIB).buffer).not.toBe(small);
  });

  it('is never that of two inputs at once', () => {
    const { buffer } = takeTensorData(KIB);
    giveTensorMemory(buffer);
    giveTensorMemory(buffer);
    expect(takeTensorData(KIB).buffer).toBe(buffer);
    expect(takeTensorData(KIB).buffer).not.toBe(buffer);
  });

  it('has its own size where nothing is given back: it can be handed over whole', () => {
    expect(takeTensorData(100).buffer.byteLength).toBe(400);
  });
});
