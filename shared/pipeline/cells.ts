import { boxHeight, boxWidth, type Box } from './boxes';
import { RGBA, type Raster } from './raster';

/** Mean colours of a grid laid over a rectangle: all that redaction keeps of what it hides. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  /** RGB triplets, 0..255, row-major. */
  readonly means: Float32Array;
}

/** Cells differ by one px at most, so that they fill the rectangle; never more of them than fit in whole. */
const countCells = (length: number, cellPx: number): number => Math.max(1, Math.floor(length / cellPx));

/** First px of cell `i`, from the rectangle's edge. */
export const cellStart = (i: number, cells: number, length: number): number =>
  Math.floor((i * length) / cells);

/**
 * Averages the picture over a grid.
 *
 * @param box whole pixels inside the picture
 * @param cellPx least side of a cell, where the rectangle has room for it
 */
export const averageCells = (raster: Raster, box: Box, cellPx: number): CellGrid => {
  const width = boxWidth(box);
  const height = boxHeight(box);
  const columns = countCells(width, cellPx);
  const rows = countCells(height, cellPx);
  const sums = new Float64Array(columns * rows * 3);
  const columnOf = new Int32Array(width);
  for (let i = 0; i < columns; i++) {
    columnOf.fill(i, cellStart(i, columns, width), cellStart(i + 1, columns, width));
  }
  const means = new Float32Array(sums.length);
  for (let row = 0; row < rows; row++) {
    const top = cellStart(row, rows, height);
    const bottom = cellStart(row + 1, rows, height);
    for (let y = top; y < bottom; y++) {
      let at = ((box.y1 + y) * raster.width + box.x1) * RGBA;
      for (let x = 0; x < width; x++, at += RGBA) {
        const to = (row * columns + (columnOf[x] as number)) * 3;
        sums[to] = (sums[to] as number) + (raster.data[at] as number);
        sums[to + 1] = (sums[to + 1] as number) + (raster.data[at + 1] as number);
        sums[to + 2] = (sums[to + 2] as number) + (raster.data[at + 2] as number);
      }
    }
    for (let column = 0; column < columns; column++) {
      const pixels =
        (bottom - top) * (cellStart(column + 1, columns, width) - cellStart(column, columns, width));
      for (let channel = 0; channel < 3; channel++) {
        const to = (row * columns + column) * 3 + channel;
        means[to] = (sums[to] as number) / pixels;
      }
    }
  }
  return { columns, rows, means };
};
