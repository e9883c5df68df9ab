import { METHODS } from '../../catalogue/methods';
import { describe, expect, it } from 'vitest';
import type { PngPixels } from '../../ports/codec';
import { coverOf, redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { pixelAt, plainRaster } from '../../testing/rasters';
import { renderMask } from './mask';
import { OBJECT_CLASSES, perClass, type ObjectClass } from '../../catalogue/classes';

const SIZE = { width: 64, height: 48 };
const OVERLAPPING = [
  found('vehicle', boxOf(4, 6, 50, 40)),
  found('license-plate', boxOf(20, 28, 36, 34)),
  found('face', boxOf(12, 10, 22, 22)),
  found('person', boxOf(40, 2, 60, 44)),
];
const rgbAt = ({ data, width }: PngPixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];

describe('the binary mask', () => {
  it.each(METHODS)('is white exactly where %s hides', (method) => {
    const plan = planFor(SIZE, OVERLAPPING, { method });
    const mask = renderMask(plan, 'binary', 100);
    expect(mask).toMatchObject({ ...SIZE, channels: 1 });
    expect([...mask.data]).toEqual([...coverOf(plan)].map((alpha) => (alpha > 0 ? 255 : 0)));
  });

  it('is white exactly where pixels are changed', () => {
    const white = plainRaster(SIZE.width, SIZE.height, [255, 255, 255]);
    const plan = planFor(SIZE, OVERLAPPING, {
      method: 'blacken',
      ignores: [{ x: 15, y: 12, width: 20, height: 9 }],
    });
    const result = redacted(white, plan);
    const mask = renderMask(plan, 'binary', 100);
    mask.data.forEach((value, i) => {
      const isChanged = pixelAt(result, i % SIZE.width, Math.floor(i / SIZE.width))[0] !== 255;
      expect(value).toBe(isChanged ? 255 : 0);
    });
  });

  it('is the union of the masks of each object', () => {
    const union = new Uint8Array(SIZE.width * SIZE.height);
    for (const one of OVERLAPPING) {
      renderMask(planFor(SIZE, [one]), 'binary', 100).data.forEach(
        (value, i) => (union[i] = union[i]! | value),
      );
    }
    expect([...renderMask(planFor(SIZE, OVERLAPPING), 'binary', 100).data]).toEqual([...union]);
  });

  it('is black without detections', () => {
    expect(renderMask(planFor(SIZE, []), 'binary', 100).data.some(Boolean)).toBe(false);
  });
});

describe('the instance mask', () => {
  it('has R 0, G the object’s number and B its class', () => {
    const plan = planFor(SIZE, OVERLAPPING, { method: 'blacken' });
    const mask = renderMask(plan, 'instance', 100);
    expect(mask).toMatchObject({ ...SIZE, channels: 3 });
    expect(rgbAt(mask, 10, 25)).toEqual([0, 1, 16]);
    expect(rgbAt(mask, 57, 20)).toEqual([0, 4, 128]);
    expect(rgbAt(mask, 0, 47)).toEqual([0, 0, 0]);
  });

  it('joins objects by OR where they overlap: a plate on a vehicle is 80', () => {
    const mask = renderMask(planFor(SIZE, OVERLAPPING, { method: 'blacken' }), 'instance', 100);
    expect(rgbAt(mask, 28, 31)).toEqual([0, 1 | 2, 80]);
    expect(rgbAt(mask, 16, 16)).toEqual([0, 1 | 3, 16 | 32]);
  });

  it('gives each class its own bit', () => {
    const blueOf = (one: ObjectClass): number => {
      const mask = renderMask(planFor(SIZE, [found(one, boxOf(10, 10, 40, 40))]), 'instance', 100);
      return rgbAt(mask, 25, 25)[2]!;
    };
    const specified = { face: 32, 'license-plate': 64, person: 128, vehicle: 16, text: 8 };
    expect(perClass(blueOf)).toMatchObject(specified);
    expect(OBJECT_CLASSES.map(blueOf).every((blue) => Number.isInteger(Math.log2(blue)))).toBe(true);
    expect(new Set(OBJECT_CLASSES.map(blueOf)).size).toBe(OBJECT_CLASSES.length);
  });

  it('counts from 1 again after 255 objects, and never uses 0', () => {
    const many = Array.from({ length: 257 }, (_, i) =>
      found('face', boxOf((i % 64) + 0, i >> 6, (i % 64) + 2, (i >> 6) + 2)),
    );
    const plan = planFor(SIZE, many);
    const greens = [0, 254, 255, 256].map((i) => {
      const mask = renderMask({ ...plan, regions: [plan.regions[i]!] }, 'instance', 100);
      return Math.max(...mask.data.filter((_, at) => at % 3 === 1));
    });
    expect(greens).toEqual([1, 255, 1, 2]);
  });

  it('is coloured exactly where the binary mask is white', () => {
    const plan = planFor(SIZE, OVERLAPPING);
    const binary = renderMask(plan, 'binary', 100);
    const instance = renderMask(plan, 'instance', 100);
    binary.data.forEach((value, i) => expect(instance.data[3 * i + 2]! > 0).toBe(value === 255));
  });
});

describe('a scaled mask', () => {
  const plan = planFor(SIZE, OVERLAPPING);

  it.each([
    [100, 64, 48],
    [50, 32, 24],
    [33, 21, 16],
    [1.5, 1, 1],
    [0.01, 1, 1],
  ])('at %f percent is %i × %i', (percent, width, height) => {
    for (const kind of ['binary', 'instance'] as const) {
      const mask = renderMask(plan, kind, percent);
      expect([mask.width, mask.height]).toEqual([width, height]);
      expect(mask.data).toHaveLength(width * height * mask.channels);
    }
  });

  it('contains only colours of the full mask, near their places', () => {
    const full = renderMask(plan, 'instance', 100);
    const half = renderMask(plan, 'instance', 50);
    for (let y = 0; y < half.height; y++) {
      for (let x = 0; x < half.width; x++) {
        const near = [0, 1].flatMap((dx) => [0, 1].map((dy) => rgbAt(full, 2 * x + dx, 2 * y + dy).join()));
        expect(near).toContain(rgbAt(half, x, y).join());
      }
    }
  });
});
