import { describe, expect, it } from 'vitest';
import { coverOf, redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { copyRaster, largestDifference, noiseRaster, plainRaster, seededRandom } from '../../testing/rasters';
import { boxWidth, type Box } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { RGBA, type Raster } from '../../domain/raster';
import { averageCells, cellStart } from './cells';
import { rasteriseRegion } from './coverage';
import { OBJECT_CLASSES, type ObjectClass } from '../../catalogue/classes';
import { HIDING_METHODS, type Method } from '../../catalogue/methods';
import type { ImageOptions } from '../../domain/options';
import type { RedactionPlan } from '../../domain/plan';
import { redact } from './redact';

const EACH = HIDING_METHODS.flatMap((method) =>
  OBJECT_CLASSES.map((objectClass) => [method, objectClass] as const),
);
const SIZE = { width: 120, height: 90 };

const planOf = (
  objectClass: ObjectClass,
  method: Method,
  box: Box,
  changed: Partial<ImageOptions> = {},
): RedactionPlan => planFor(SIZE, [found(objectClass, box)], { method, ...changed });

/** Permutes fully hidden pixels within each averaged cell: the means stay the same, all detail is lost. */
const shuffleCells = (raster: Raster, plan: RedactionPlan, seed: number): Raster => {
  const shuffled = copyRaster(raster);
  const random = seededRandom(seed);
  const region = plan.regions[0]!;
  const { box, alpha } = rasteriseRegion(region, plan);
  const [width, height] = [boxWidth(box), box.y2 - box.y1];
  const { columns, rows } = averageCells(raster, box, region.cellPx);
  for (let cell = 0; cell < columns * rows; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const places: number[] = [];
    for (let y = cellStart(row, rows, height); y < cellStart(row + 1, rows, height); y++) {
      for (let x = cellStart(column, columns, width); x < cellStart(column + 1, columns, width); x++) {
        if (alpha[y * width + x] === 255) places.push(((box.y1 + y) * plan.width + box.x1 + x) * RGBA);
      }
    }
    for (let i = places.length - 1; i > 0; i--) {
      const [a, b] = [places[i] as number, places[Math.floor(random() * (i + 1))] as number];
      const pixel = shuffled.data.slice(a, a + RGBA);
      shuffled.data.copyWithin(a, b, b + RGBA);
      shuffled.data.set(pixel, b);
    }
  }
  return shuffled;
};

describe.each(EACH)('%s on a %s', (method, objectClass) => {
  const plan = planOf(objectClass, method, boxOf(30.4, 20.7, 88.2, 61.5));
  const cover = coverOf(plan);
  const source = noiseRaster(SIZE.width, SIZE.height, 1);
  const result = redacted(source, plan);

  it('changes no uncovered pixel', () => {
    expect(cover.some((alpha) => alpha === 0)).toBe(true);
    expect(largestDifference(source, result, (x, y) => cover[y * SIZE.width + x] === 0)).toBe(0);
  });

  it('stays opaque', () => {
    expect(result.data.every((value, i) => i % RGBA !== 3 || value === 255)).toBe(true);
  });

  it('gives the same result for images that differ only in hidden pixels with equal cell means', () => {
    const other = shuffleCells(source, plan, 7);
    expect(largestDifference(source, other)).toBeGreaterThan(200);
    expect(largestDifference(result, redacted(other, plan))).toBe(0);
  });

  it('hides no less if the box is hidden instead of the shape', () => {
    const whole = coverOf(planOf(objectClass, method, boxOf(30.4, 20.7, 88.2, 61.5), { bbox: true }));
    expect(cover.every((alpha, i) => alpha < 255 || whole[i] === 255)).toBe(true);
  });

  it('changes no pixel in ignored areas', () => {
    const area = { x: 40, y: 30, width: 30, height: 15 };
    const isIgnored = (x: number, y: number): boolean => x >= 40 && x < 70 && y >= 30 && y < 45;
    const spared = redacted(source, { ...plan, ignores: [area] });
    expect(largestDifference(source, spared, isIgnored)).toBe(0);
    expect(largestDifference(result, spared, (x, y) => !isIgnored(x, y))).toBe(0);
  });

  it('renders the same pixels again from a stored plan', () => {
    const stored = JSON.parse(JSON.stringify(plan)) as RedactionPlan;
    expect(largestDifference(redacted(source, stored), result)).toBe(0);
  });
});

describe('blacken', () => {
  it('makes covered pixels opaque black', () => {
    const source = plainRaster(SIZE.width, SIZE.height, [200, 210, 220]);
    for (const objectClass of OBJECT_CLASSES) {
      const plan = planOf(objectClass, 'blacken', boxOf(30.4, 20.7, 88.2, 61.5));
      const result = redacted(source, plan);
      const black = plainRaster(SIZE.width, SIZE.height, [0, 0, 0]);
      const cover = coverOf(plan);
      expect(largestDifference(result, black, (x, y) => cover[y * SIZE.width + x] !== 0)).toBe(0);
    }
  });
});

describe('detect', () => {
  it('changes nothing', () => {
    const source = noiseRaster(SIZE.width, SIZE.height, 4);
    const detections = OBJECT_CLASSES.map((objectClass) => found(objectClass, boxOf(10, 10, 60, 50)));
    expect(largestDifference(redacted(source, planFor(SIZE, detections, { method: 'detect' })), source)).toBe(
      0,
    );
  });
});

describe('a plan', () => {
  it('is refused for an image of another size', () => {
    const plan = planOf('face', 'blur', boxOf(10, 10, 30, 30));
    const turned = noiseRaster(SIZE.height, SIZE.width, 5);
    expect(() => redact(turned, plan)).toThrow('another size');
  });

  it('without objects changes nothing', () => {
    const source = noiseRaster(SIZE.width, SIZE.height, 6);
    for (const method of HIDING_METHODS) {
      expect(largestDifference(redacted(source, planFor(SIZE, [], { method })), source)).toBe(0);
    }
  });

  it('does not change a plain surface, except of faces and plates', () => {
    const plain = plainRaster(SIZE.width, SIZE.height, [31, 127, 254]);
    for (const method of ['blur', 'pixelate'] as const) {
      const plan = planFor(
        SIZE,
        (['person', 'vehicle', 'text'] as const).map((one) => found(one, boxOf(20, 20, 70, 60))),
        { method },
      );
      expect(largestDifference(redacted(plain, plan), plain)).toBe(0);
    }
  });
});

describe('overlapping objects', () => {
  const first: Detection = found('face', boxOf(40, 25, 70, 62));
  const second: Detection = found('person', boxOf(30, 20, 80, 88));
  const third: Detection = found('license-plate', boxOf(52, 40, 90, 50));

  it.each(['blur', 'pixelate', 'blacken'] as const)(
    'reveal no more of a pixel than each of them alone, with %s',
    (method) => {
      const source = plainRaster(SIZE.width, SIZE.height, [0, 0, 0]);
      const random = seededRandom(11);
      for (const pair of [
        [first, second],
        [second, first],
        [first, third],
        [third, second],
      ] as const) {
        const both = planFor(SIZE, pair, { method });
        const alone = pair.map((one) => planFor(SIZE, [one], { method }));
        const covers = alone.map(coverOf);
        for (let trial = 0; trial < 12; trial++) {
          const inBoth = covers[0]!.map((alpha, i) => (alpha === 255 && covers[1]![i] === 255 ? 1 : 0));
          const places = [...inBoth.keys()].filter((i) => inBoth[i] === 1);
          const lit = copyRaster(source);
          const at = (places[Math.floor(random() * places.length)] as number) * RGBA;
          lit.data.fill(255, at, at + 3);
          const shown = (plan: RedactionPlan): number =>
            largestDifference(redacted(source, plan), redacted(lit, plan));
          expect(shown(both)).toBeLessThanOrEqual(Math.max(...alone.map(shown)) + 1);
        }
      }
    },
  );

  it('are each hidden as well as alone', () => {
    const source = noiseRaster(SIZE.width, SIZE.height, 8);
    const plan = planFor(SIZE, [first, second, third], { method: 'blacken' });
    const covers = [first, second, third].map((one) => coverOf(planFor(SIZE, [one], { method: 'blacken' })));
    const result = redacted(source, plan);
    const black = plainRaster(SIZE.width, SIZE.height, [0, 0, 0]);
    for (const cover of covers) {
      expect(largestDifference(result, black, (x, y) => cover[y * SIZE.width + x] === 255)).toBe(0);
    }
  });
});
