import { describe, expect, it } from 'vitest';
import { cornersIn, isCrossing, requireInside, type HiddenArea } from './hidden-areas';

const SIZE = { width: 40, height: 20 };
const box = (topLeftX: number, topLeftY: number, width = 5, height = 5): HiddenArea => ({
  ...{ topLeftX, topLeftY, width, height },
});

describe('an area that is always hidden', () => {
  it('in shares is as large as the image makes it', () => {
    const half: HiddenArea = { ...box(0.5, 0, 0.5, 1), unit: 'fraction' };
    expect(cornersIn(half, SIZE)).toEqual([
      [20, 0],
      [40, 0],
      [40, 20],
      [20, 20],
    ]);
  });

  it('is refused with its number and the size if it lies outside the image', () => {
    for (const outside of [box(40, 0), box(0, 20), box(-5, 0), box(0, -9)]) {
      expect(() => requireInside([box(0, 0), outside], SIZE)).toThrow(
        '`hides[1]` lies outside the image, which has 40 × 20 pixels.',
      );
    }
  });

  it('is accepted if a pixel of it lies inside', () => {
    expect(() => requireInside([box(39, 19), box(-4, -4), box(-9, -9, 99, 99)], SIZE)).not.toThrow();
  });
});

describe('the sides of a polygon', () => {
  it('cross in a bow tie and in a star, wherever it begins', () => {
    const bowTie = [
      [0, 0],
      [9, 9],
      [9, 0],
      [0, 9],
    ] as const;
    for (let first = 0; first < bowTie.length; first++) {
      expect(isCrossing([...bowTie.slice(first), ...bowTie.slice(0, first)])).toBe(true);
    }
    const star = [0, 2, 4, 1, 3].map((i) => [Math.cos(i * 1.2566), Math.sin(i * 1.2566)] as const);
    expect(isCrossing(star)).toBe(true);
  });

  it('do not cross where they only meet at corners, or a corner lies on a side', () => {
    const notched = [
      [0, 0],
      [9, 0],
      [9, 9],
      [5, 0],
      [0, 9],
    ] as const;
    expect(isCrossing(notched)).toBe(false);
    expect(isCrossing(notched.slice(0, 3))).toBe(false);
  });
});
