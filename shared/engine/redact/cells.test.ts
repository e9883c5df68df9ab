import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { createRaster, noiseRaster } from '../../testing/rasters';
import { averageCells, cellStart } from './cells';
import { RGBA } from '../../domain/raster';

describe('the mean of a cell', () => {
  it('is that of its pixels, however many there are', () => {
    const raster = noiseRaster(1100, 40, 3);
    for (const [box, cellPx] of [
      [boxOf(3, 1, 1099, 38), 300],
      [boxOf(0, 0, 1100, 40), 1100],
      [boxOf(511, 7, 530, 39), 4],
    ] as const) {
      const { columns, rows, means } = averageCells(raster, box, cellPx);
      const [width, height] = [box.x2 - box.x1, box.y2 - box.y1];
      for (let cell = 0; cell < columns * rows; cell++) {
        const [column, row] = [cell % columns, Math.floor(cell / columns)];
        const sums = [0, 0, 0];
        let count = 0;
        for (let y = cellStart(row, rows, height); y < cellStart(row + 1, rows, height); y++) {
          for (let x = cellStart(column, columns, width); x < cellStart(column + 1, columns, width); x++) {
            const at = ((box.y1 + y) * raster.width + box.x1 + x) * RGBA;
            sums.forEach((sum, channel) => (sums[channel] = sum + (raster.data[at + channel] as number)));
            count++;
          }
        }
        const expected = sums.map((sum) => Math.fround(sum / count));
        expect([...means.subarray(3 * cell, 3 * cell + 3)]).toEqual(expected);
      }
    }
  });

  it('does not overflow for the brightest pixels', () => {
    const white = createRaster(900, 3, () => [255, 254, 255]);
    expect([...averageCells(white, boxOf(0, 0, 900, 3), 900).means]).toEqual([255, 254, 255]);
  });
});
