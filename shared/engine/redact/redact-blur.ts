import { boxHeight, boxWidth } from '../../domain/boxes';
import { averageCells } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import type { Raster } from '../../domain/raster';
import { smoothCells } from './spline';

/**
 * Blurs covered pixels: cell means, smoothed by a cubic B-spline.
 *
 * A Gaussian blur is a filter, and filters can be inverted. Here the result depends only on a few cell means, so all
 * detail inside a cell is lost permanently. The B-spline over cells of side s equals three box blurs of width s on the
 * means.
 */
export const redactBlur = (raster: Raster, coverage: Coverage, cellPx: number): void => {
  const grid = averageCells(raster, coverage.box, cellPx);
  paint(raster, coverage, smoothCells(grid, boxWidth(coverage.box), boxHeight(coverage.box)));
};
