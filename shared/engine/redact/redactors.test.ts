import { describe, expect, it } from 'vitest';
import { redacted } from '../../testing/hidden';
import { boxOf, found, planFor } from '../../testing/plans';
import { createRaster, pixelAt } from '../../testing/rasters';
import { averageCells, cellStart } from './cells';
import { rasteriseRegion } from './coverage';
import { gridOf } from './redactors';
import { OBJECT_CLASSES } from '../../catalogue/classes';

const SIZE = { width: 250, height: 250 };
/** Each pixel names its place, so that each cell's colour is its own. */
const PLACES = createRaster(SIZE.width, SIZE.height, (x, y) => [x, y, 0]);

describe('averaged cells', () => {
  it('fill a rectangle, none smaller than requested', () => {
    for (const [length, cellPx] of [
      [37, 4],
      [64, 4.3],
      [5, 4],
      [100, 33.4],
    ] as const) {
      const { columns } = averageCells(PLACES, boxOf(0, 0, length, 1), cellPx);
      const starts = Array.from({ length: columns + 1 }, (_, i) => cellStart(i, columns, length));
      expect([starts[0], starts.at(-1)]).toEqual([0, length]);
      for (let i = 0; i < columns; i++) {
        expect(starts[i + 1]! - starts[i]!).toBeGreaterThanOrEqual(Math.floor(cellPx));
      }
    }
  });

  it('are a single one if there is no room for two', () => {
    expect(averageCells(PLACES, boxOf(10, 10, 17, 13), 4)).toEqual({
      columns: 1,
      rows: 1,
      means: Float32Array.of(13, 11, 0),
    });
  });

  it('have the mean colour of their pixels', () => {
    const { columns, rows, means } = averageCells(PLACES, boxOf(20, 30, 28, 38), 4);
    expect([columns, rows]).toEqual([2, 2]);
    expect([...means]).toEqual([21.5, 31.5, 0, 25.5, 31.5, 0, 21.5, 35.5, 0, 25.5, 35.5, 0]);
  });
});

describe.each(OBJECT_CLASSES)('a pixelated %s', (objectClass) => {
  const cornersFor = (width: number, height: number): (readonly [number, number])[] => [
    [100.37, 60.81],
    [0, 0],
    [SIZE.width - width / 2, SIZE.height - height],
  ];

  it('shows at most 8 cells across its shorter side, at any size and place', () => {
    for (const side of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 17, 24, 31, 33, 40, 47, 65, 99, 131]) {
      for (const [width, height] of [
        [side, side],
        [1.5 * side, side],
        [side, 1.5 * side],
      ] as const) {
        for (const [x, y] of cornersFor(width, height)) {
          const box = boxOf(x, y, x + width, y + height);
          const region = planFor(SIZE, [found(objectClass, box)], { method: 'pixelate' }).regions[0]!;
          const { columns, rows } = gridOf(PLACES, rasteriseRegion(region, { ...SIZE, ignores: [] }), region);
          expect(Math.min(columns, rows), `${x},${y} ${width}×${height}`).toBeLessThanOrEqual(8);
        }
      }
    }
  });

  it('shows one colour in each cell', () => {
    const plan = planFor(SIZE, [found(objectClass, boxOf(40, 60, 140, 130))], {
      method: 'pixelate',
      bbox: true,
    });
    const result = redacted(PLACES, plan);
    const region = plan.regions[0]!;
    const coverage = rasteriseRegion(region, plan);
    const { box } = coverage;
    const { means } = gridOf(PLACES, coverage, region);
    const colours = new Set<string>();
    for (let y = box.y1; y < box.y2; y++) {
      for (let x = box.x1; x < box.x2; x++) colours.add(pixelAt(result, x, y).join());
    }
    const cells = Array.from({ length: means.length / 3 }, (_, i) =>
      [...means.subarray(3 * i, 3 * i + 3)].join(),
    );
    expect(colours.size).toBe(new Set(cells).size);
  });
});
