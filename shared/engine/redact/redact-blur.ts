import { boxHeight, boxWidth } from '../../domain/boxes';
import { averageCells } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from '../../domain/raster';
import { smoothCells } from './spline';

/**
 * Blurs what is covered: cell means, smoothed by a cubic B-spline.
 *
 * A plain Gaussian is a filter, and filters can be undone. Here the pixels under the blur are a function of a few
 * cell means and of nothing else: whatever differs inside a cell without changing its mean is gone for good. The
 * B-spline over cells of side s equals three box blurs of width s on those means.
 */
export const redactBlur = (raster: Raster, coverage: Coverage, cellPx: number): void => {
  const grid = averageCells(raster, coverage.box, cellPx);
  paint(raster, coverage, smoothCells(grid, boxWidth(coverage.box), boxHeight(coverage.box)));
};
