import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { signedWordsOf, type Raster } from '../../domain/raster';

/**
 * Colours of a grid over a rectangle: means of its pixels, which are the only information about hidden pixels that the
 * result contains, or fixed ones, which are none.
 */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  /** RGB triplets, 0..255, row-major. */
  readonly means: Float32Array;
}

/** @param rows of colours, 0xRRGGBB */
export const fixedCells = (rows: readonly (readonly number[])[]): CellGrid => ({
  columns: rows[0]?.length ?? 0,
  rows: rows.length,
  means: Float32Array.from(
    rows.flat().flatMap((colour) => [colour >>> 16, (colour >>> 8) & 255, colour & 255]),
  ),
});

/** Number of cells along a side: as many as fit with at least `cellPx` each. Their sides differ by at most one px. */
const countCells = (length: number, cellPx: number): number => Math.max(1, Math.floor(length / cellPx));

/** First px of cell `i`, from the rectangle's edge. */
export const cellStart = (i: number, cells: number, length: number): number =>
  Math.floor((i * length) / cells);

/** Red and blue of a word, 16 bits each. */
const RED_BLUE = 0xff00ff;
/** Number of 8-bit levels whose sum fits in 16 bits. */
const SUMMED_AT_ONCE = 256;

/**
 * Adds the colours of a row of words to the sums of its cells: red and blue in one number, four pixels at once.
 *
 * Green needs no sum of its own: it is what the sum of whole words has between those of red and blue.
 *
 * @param start first word of the row
 * @param starts first word of each cell from there, and the end of the last one
 * @param sums three for each cell
 */
const addRow = (words: Int32Array, start: number, starts: readonly number[], sums: Float64Array): void => {
  for (let column = 1, cell = 0, at = start; column < starts.length; column++, cell += 3) {
    const to = start + (starts[column] as number);
    let red = 0;
    let green = 0;
    let blue = 0;
    while (at < to) {
      let redBlue = 0;
      let all = 0;
      const end = Math.min(to, at + SUMMED_AT_ONCE);
      for (; at + 3 < end; at += 4) {
        const a = words[at] as number;
        const b = words[at + 1] as number;
        const c = words[at + 2] as number;
        const d = words[at + 3] as number;
        redBlue = (redBlue + (a & RED_BLUE) + (b & RED_BLUE) + (c & RED_BLUE) + (d & RED_BLUE)) | 0;
        all = (all + a + b + c + d) | 0;
      }
      for (; at < end; at++) {
        const word = words[at] as number;
        redBlue = (redBlue + (word & RED_BLUE)) | 0;
        all = (all + word) | 0;
      }
      red += redBlue & 0xffff;
      green += ((all - redBlue) >>> 8) & 0xffff;
      blue += redBlue >>> 16;
    }
    sums[cell] = (sums[cell] as number) + red;
    sums[cell + 1] = (sums[cell + 1] as number) + green;
    sums[cell + 2] = (sums[cell + 2] as number) + blue;
  }
};

/**
 * Averages the image over a grid.
 *
 * @param box whole pixels, inside the image
 * @param cellPx minimum side of a cell; a smaller rectangle is one cell
 * @param stretch how many times as wide as high cells are
 */
export const averageCells = (raster: Raster, box: Box, cellPx: number, stretch = 1): CellGrid => {
  const width = boxWidth(box);
  const height = boxHeight(box);
  const columns = countCells(width, stretch * cellPx);
  const rows = countCells(height, cellPx);
  const words = signedWordsOf(raster);
  const columnStarts = Array.from({ length: columns + 1 }, (_, i) => cellStart(i, columns, width));
  const rowStarts = Array.from({ length: rows + 1 }, (_, i) => cellStart(i, rows, height));
  const sums = new Float64Array(columns * rows * 3);
  const means = new Float32Array(sums.length);
  for (let row = 0; row < rows; row++) {
    const top = rowStarts[row] as number;
    const bottom = rowStarts[row + 1] as number;
    const cells = row * columns * 3;
    const rowSums = sums.subarray(cells, cells + columns * 3);
    for (let y = top; y < bottom; y++) {
      addRow(words, (box.y1 + y) * raster.width + box.x1, columnStarts, rowSums);
    }
    for (let i = 0; i < columns * 3; i++) {
      const column = Math.floor(i / 3);
      const across = (columnStarts[column + 1] as number) - (columnStarts[column] as number);
      means[cells + i] = (sums[cells + i] as number) / ((bottom - top) * across);
    }
  }
  return { columns, rows, means };
};
