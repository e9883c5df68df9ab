import { describe, expect, it } from 'vitest';
import { coverOf, redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, largestDifference, noiseRaster, plainRaster } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import { RGBA } from '../../domain/raster';
import { OBJECT_CLASSES, type ObjectClass } from '../../catalogue/classes';
import { HIDING_METHODS, type Method } from '../../catalogue/methods';

describe('one pixel of the source', () => {
  const size = { width: 60, height: 50 };
  const black = plainRaster(size.width, size.height, [0, 0, 0]);
  const sides = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 30];
  /** Inside, in corners, and partly outside. */
  const boxesOf = (width: number, height: number): Box[] => [
    boxOf(22, 12, 22 + width, 12 + height),
    boxOf(22.3, 12.8, 22.3 + width, 12.8 + height),
    boxOf(0, 0, width, height),
    boxOf(size.width - width, size.height - height, size.width + height, size.height + width),
  ];

  it.each(OBJECT_CLASSES)(
    'is one of 4 at least that make up a hidden pixel of a %s, of 16 from 4 px on',
    (objectClass) => {
      for (const method of ['blur', 'pixelate'] as const) {
        for (const side of sides) {
          for (const box of [...boxesOf(side, side), ...boxesOf(side, 1.5 * side)]) {
            const plan = planFor(size, [found(objectClass, box)], { method });
            const cover = coverOf(plan);
            const lit = copyRaster(black);
            const covered = [...cover.keys()].filter((i) => cover[i] === 255);
            const at = (covered[Math.floor(covered.length / 2)] as number) * RGBA;
            lit.data.fill(255, at, at + 3);
            const moved = largestDifference(
              redacted(black, plan),
              redacted(lit, plan),
              (x, y) => cover[y * size.width + x] === 255,
            );
            const averaged = side < 4 ? 4 : 16;
            expect(moved, `${method} ${JSON.stringify(box)}`).toBeLessThanOrEqual(Math.round(255 / averaged));
          }
        }
      }
    },
  );
});

describe('two objects that have nothing in common', () => {
  /** Largest difference of two hidden objects, over pixels that are fully hidden. */
  const difference = (objectClass: ObjectClass, method: Method, side: number): number => {
    const size = { width: Math.ceil(1.8 * side), height: Math.ceil(1.6 * side) };
    const [a, b] = [noiseRaster(size.width, size.height, 1), noiseRaster(size.width, size.height, 2)];
    const box = boxOf(0.4 * side, 0.3 * side, 1.4 * side, 1.3 * side);
    const plan = planFor(size, [found(objectClass, box)], { method });
    const cover = coverOf(plan);
    return largestDifference(
      redacted(a, plan),
      redacted(b, plan),
      (x, y) => cover[y * size.width + x] === 255,
    );
  };

  it.each([
    ['blur', 32],
    ['pixelate', 48],
    ['blacken', 0],
  ] as const)('differ by little after %s: noise by at most %i of 255', (method, max) => {
    for (const objectClass of OBJECT_CLASSES) {
      expect(difference(objectClass, method, 50), objectClass).toBeLessThanOrEqual(max);
    }
  });

  /* So nothing can name a face or read a plate, whatever it knows: no hidden pixel has an influence on the result. */
  it.each(['face', 'license-plate'] as const)('do not differ at all if each is a %s, at any size', (name) => {
    for (const side of [2, 5, 20, 60, 200]) {
      for (const method of HIDING_METHODS) expect(difference(name, method, side), `${side} px`).toBe(0);
    }
  });
});
