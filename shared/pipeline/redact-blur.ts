import { boxHeight, boxWidth } from './boxes';
import { averageCells, type CellGrid } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from './raster';

/** Cells are repeated this often beyond the grid's ends, so that every pixel has four. */
const PAD = 2;

/** The first of the four neighbouring cells (in the padded grid) that make a pixel, and the cubic B-spline's weights. */
interface SplineTaps {
  readonly first: Int32Array;
  /** Four per pixel. */
  readonly weight: Float32Array;
}

const planSpline = (length: number, cells: number): SplineTaps => {
  const first = new Int32Array(length);
  const weight = new Float32Array(length * 4);
  for (let i = 0; i < length; i++) {
    const at = ((i + 0.5) * cells) / length - 0.5;
    const t = at - Math.floor(at);
    first[i] = Math.floor(at) - 1 + PAD;
    weight[4 * i] = (1 - t) ** 3 / 6;
    weight[4 * i + 1] = (3 * t ** 3 - 6 * t ** 2 + 4) / 6;
    weight[4 * i + 2] = (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6;
    weight[4 * i + 3] = t ** 3 / 6;
  }
  return { first, weight };
};

/** The grid's rows blended for one pixel row, columns repeated at both ends: RGB triplets. */
const blendRows = (
  { columns, rows, means }: CellGrid,
  down: SplineTaps,
  y: number,
  out: Float32Array,
): void => {
  out.fill(0);
  for (let k = 0; k < 4; k++) {
    const w = down.weight[4 * y + k] as number;
    const row = Math.min(Math.max((down.first[y] as number) + k - PAD, 0), rows - 1);
    for (let i = 0; i < out.length; i++) {
      const column = Math.min(Math.max(Math.floor(i / 3) - PAD, 0), columns - 1);
      out[i] = (out[i] as number) + w * (means[(row * columns + column) * 3 + (i % 3)] as number);
    }
  }
};

/** Blends a row's four cells per pixel, for columns [from, to). */
const blendColumns = (
  line: Float32Array,
  across: SplineTaps,
  from: number,
  to: number,
  colours: Float32Array,
): void => {
  const { first, weight } = across;
  for (let x = from; x < to; x++) {
    const at = (first[x] as number) * 3;
    const a = weight[4 * x] as number;
    const b = weight[4 * x + 1] as number;
    const c = weight[4 * x + 2] as number;
    const d = weight[4 * x + 3] as number;
    for (let channel = 0; channel < 3; channel++) {
      const i = at + channel;
      colours[3 * x + channel] =
        a * (line[i] as number) +
        b * (line[i + 3] as number) +
        c * (line[i + 6] as number) +
        d * (line[i + 9] as number);
    }
  }
};

/**
 * Blurs what is covered: cell means, smoothed by a cubic B-spline.
 *
 * A plain Gaussian is a filter, and filters can be undone. Here the pixels under the blur are a function of a few
 * cell means and of nothing else: whatever differs inside a cell without changing its mean is gone for good. The
 * B-spline over cells of side s equals three box blurs of width s on those means.
 */
export const redactBlur = (raster: Raster, coverage: Coverage, cellPx: number): void => {
  const width = boxWidth(coverage.box);
  const grid = averageCells(raster, coverage.box, cellPx);
  const across = planSpline(width, grid.columns);
  const down = planSpline(boxHeight(coverage.box), grid.rows);
  const line = new Float32Array((grid.columns + 2 * PAD) * 3);
  let blended = -1;
  paint(raster, coverage, (y, from, to, colours) => {
    if (y !== blended) blendRows(grid, down, y, line);
    blended = y;
    blendColumns(line, across, from, to, colours);
  });
};
