import { boxHeight, boxWidth } from './boxes';
import { averageCells, cellStart } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from './raster';

/** Replaces what is covered by squares of their mean colour. */
export const redactPixelate = (raster: Raster, coverage: Coverage, cellPx: number): void => {
  const width = boxWidth(coverage.box);
  const height = boxHeight(coverage.box);
  const { columns, rows, means } = averageCells(raster, coverage.box, cellPx);
  let row = 0;
  paint(raster, coverage, (y, from, to, colours) => {
    while (y >= cellStart(row + 1, rows, height)) row++;
    for (let column = 0; column < columns; column++) {
      const mean = (row * columns + column) * 3;
      const start = Math.max(from, cellStart(column, columns, width));
      const end = Math.min(to, cellStart(column + 1, columns, width));
      for (let x = start; x < end; x++) {
        colours[3 * x] = means[mean] as number;
        colours[3 * x + 1] = means[mean + 1] as number;
        colours[3 * x + 2] = means[mean + 2] as number;
      }
    }
  });
};
