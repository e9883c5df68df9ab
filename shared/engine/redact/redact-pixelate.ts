import { boxHeight, boxWidth } from '../../domain/boxes';
import { averageCells, cellStart } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import { wordOf, type Raster } from '../../domain/raster';

/** Replaces covered pixels by cells of their mean colour. */
export const redactPixelate = (raster: Raster, coverage: Coverage, cellPx: number): void => {
  const width = boxWidth(coverage.box);
  const height = boxHeight(coverage.box);
  const { columns, rows, means } = averageCells(raster, coverage.box, cellPx);
  const colourOf = (cell: number): number =>
    wordOf(means[3 * cell] as number, means[3 * cell + 1] as number, means[3 * cell + 2] as number);
  let row = -1;
  paint(raster, coverage, (y, _from, _to, colours) => {
    if (row >= 0 && y < cellStart(row + 1, rows, height)) return;
    while (y >= cellStart(row + 1, rows, height)) row++;
    for (let column = 0; column < columns; column++) {
      const end = cellStart(column + 1, columns, width);
      colours.fill(colourOf(row * columns + column), cellStart(column, columns, width), end);
    }
  });
};
