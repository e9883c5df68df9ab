import { boxHeight, boxWidth } from './boxes';
import { averageCells, type CellGrid } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from './raster';

/** Which four cells make a pixel along one axis, with the cubic B-spline's weights. */
interface SplineTaps {
  readonly cell: Int32Array;
  readonly weight: Float32Array;
}

const planSpline = (length: number, cells: number): SplineTaps => {
  const cell = new Int32Array(length * 4);
  const weight = new Float32Array(length * 4);
  for (let i = 0; i < length; i++) {
    const at = ((i + 0.5) * cells) / length - 0.5;
    const first = Math.floor(at);
    const t = at - first;
    const weights = [
      (1 - t) ** 3 / 6,
      (3 * t ** 3 - 6 * t ** 2 + 4) / 6,
      (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6,
      t ** 3 / 6,
    ];
    weights.forEach((w, k) => {
      cell[4 * i + k] = Math.min(Math.max(first - 1 + k, 0), cells - 1);
      weight[4 * i + k] = w;
    });
  }
  return { cell, weight };
};

/** The grid's columns blended for one pixel row. */
const blendRows = (grid: CellGrid, down: SplineTaps, y: number, out: Float32Array): void => {
  out.fill(0);
  for (let k = 4 * y; k < 4 * y + 4; k++) {
    const w = down.weight[k] as number;
    const from = (down.cell[k] as number) * out.length;
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + w * (grid.means[from + i] as number);
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
  const line = new Float32Array(grid.columns * 3);
  paint(raster, coverage, (y, colours) => {
    blendRows(grid, down, y, line);
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let value = 0;
        for (let k = 4 * x; k < 4 * x + 4; k++) {
          value += (across.weight[k] as number) * (line[(across.cell[k] as number) * 3 + channel] as number);
        }
        colours[3 * x + channel] = value;
      }
    }
  });
};
