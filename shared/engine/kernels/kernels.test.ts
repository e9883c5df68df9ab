import { describe, expect, it } from 'vitest';
import { startKernels } from './kernels';

const MEBIBYTE = 2 ** 20;

describe('the memory of kernels', () => {
  it('keeps what was put there when it grows for a larger place', () => {
    const kernels = startKernels();
    const address = kernels.put(Int32Array.of(7, -8));
    kernels.place(3 * MEBIBYTE);
    expect([...kernels.wordsAt(address, 2)]).toEqual([7, 2 ** 32 - 8]);
  });

  it('has room for a whole vector after each place', () => {
    const kernels = startKernels();
    const places = [1, 32, 33, 5 * MEBIBYTE, 0].map((bytes) => ({ at: kernels.place(bytes), bytes }));
    const last = kernels.place(1);
    places.forEach(({ at, bytes }, i) => {
      expect((places[i + 1]?.at ?? last) - (at + bytes)).toBeGreaterThanOrEqual(16);
    });
    expect(kernels.bytesAt(last, 1 + 16)).toHaveLength(17);
  });

  it('is used again from its start', () => {
    const first = startKernels().put(Uint8Array.of(1, 2, 3));
    expect(startKernels().place(1)).toBe(first);
  });
});
