import { describe, expect, it } from 'vitest';
import { float16ToNumber, roundToFloat16, toExactFloat16 } from './float16';

describe('a float16', () => {
  it('does not change if it is converted to a number and back: all 63,488 finite values', () => {
    const finite = Array.from({ length: 0x10000 }, (_, bits) => bits).filter(
      (bits) => (bits & 0x7c00) !== 0x7c00,
    );
    const there = toExactFloat16(Float32Array.from(finite, float16ToNumber));
    expect(there).toEqual(Uint16Array.from(finite));
  });

  it.each([0.1, 65505, 2 ** -25, Infinity, NaN])(
    'does not exist for %f, which has no exact form',
    (value) => {
      expect(toExactFloat16(Float32Array.of(1, value))).toBeUndefined();
    },
  );

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

  it('is the nearest to a number, with ties to even', () => {
    const [step, low] = [2 ** -10, 2 ** -24];
    const values = [0.1, 1 + step / 2, 1 + 1.5 * step, -1 - 0.7 * step, low / 2, 1.6 * low, 70000, 0];
    const rounded = roundToFloat16(Float32Array.from(values));
    expect(toExactFloat16(rounded)).toBeDefined();
    expect([...rounded].map((value) => value / step)).toEqual(
      [float16ToNumber(0x2e66), 1, 1 + 2 * step, -1 - step, 0, 2 * low, 65504, 0].map(
        (value) => value / step,
      ),
    );
  });
});
