import { describe, expect, it } from 'vitest';
import { float16ToNumber, toExactFloat16 } from './float16';

describe('a float16', () => {
  it('survives the way there and back, whichever of its 63,488 finite values', () => {
    const finite = Array.from({ length: 0x10000 }, (_, bits) => bits).filter(
      (bits) => (bits & 0x7c00) !== 0x7c00,
    );
    const there = toExactFloat16(Float32Array.from(finite, float16ToNumber));
    expect(there).toEqual(Uint16Array.from(finite));
  });

  it.each([0.1, 65505, 2 ** -25, Infinity, NaN])('is not made of %f, which would be rounded', (value) => {
    expect(toExactFloat16(Float32Array.of(1, value))).toBeUndefined();
  });

  it('has the values of IEEE 754', () => {
    expect([0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x3555].map(float16ToNumber)).toEqual([
      1,
      -2,
      65504,
      2 ** -24,
      2 ** -14,
      0.333251953125,
    ]);
  });
});
