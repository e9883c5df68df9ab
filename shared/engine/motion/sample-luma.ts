import { RGBA, type LumaRaster, type Raster } from '../../domain/raster';
import { around, within } from '../pixels/positions';

/** Mean luma of square cells, row-major, 0..255. */
export interface LumaGrid {
  readonly columns: number;
  readonly rows: number;
  readonly values: Float32Array;
}

/** Pixels sampled of a large cell, across and down: more would not change the mean much. */
const SAMPLES_PER_SIDE = 4;

/** Luma of BT.601 of the pixel whose bytes begin at an offset. */
const lumaOf = (data: Raster['data'], at: number): number =>
  0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);

/** A raster without its colours, in memory of its own. */
export const lumaRaster = ({ data, width, height, wraps }: Raster): LumaRaster => {
  const luma = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < luma.length; i++, at += RGBA) luma[i] = lumaOf(data, at) + 0.5;
  return { width, height, luma, ...(wraps && { wraps }) };
};

/** A part of a frame, and the cells over it. */
interface LumaArea extends Omit<LumaGrid, 'values'> {
  readonly left: number;
  readonly top: number;
  /** Side of a cell in px, at least 1. */
  readonly stepPx: number;
}

/** Pixels to read for each cell along one side: `samples` of them for each. */
const samplesAlong = (
  { start, stepPx, cells }: { readonly start: number; readonly stepPx: number; readonly cells: number },
  samples: number,
  inFrame: (px: number) => number,
): Int32Array => {
  const pixels = new Int32Array(cells * samples);
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] = inFrame(Math.floor(start + ((i + 0.5) * stepPx) / samples));
  }
  return pixels;
};

/** Columns of pixels to read, `perCell` for each cell. */
interface SampledColumns {
  readonly xs: Int32Array;
  readonly perCell: number;
}

/**
 * Adds a row of pixels to the means of cells.
 *
 * Colours have a loop of their own: one loop that calls a reader for each pixel takes four times as long.
 */
const addLuma = (
  { luma, width }: LumaRaster,
  y: number,
  { xs, perCell }: SampledColumns,
  means: Float32Array,
): void => {
  const share = 1 / perCell ** 2;
  for (let i = 0, at = 0; i < xs.length; at++) {
    let mean = means[at] as number;
    for (const end = i + perCell; i < end; i++) {
      mean = Math.fround(mean + share * (luma[y * width + (xs[i] as number)] as number));
    }
    means[at] = mean;
  }
};

const addColours = (
  { data, width }: Raster,
  y: number,
  { xs, perCell }: SampledColumns,
  means: Float32Array,
): void => {
  const share = 1 / perCell ** 2;
  for (let i = 0, at = 0; i < xs.length; at++) {
    let mean = means[at] as number;
    for (const end = i + perCell; i < end; i++) {
      mean = Math.fround(mean + share * lumaOf(data, RGBA * (y * width + (xs[i] as number))));
    }
    means[at] = mean;
  }
};

/** Samples a part of a frame at a reduced scale; beyond the edge its pixels repeat, or a panorama continues. */
export const sampleLuma = (
  raster: Raster | LumaRaster,
  { left, top, stepPx, columns, rows }: LumaArea,
): LumaGrid => {
  const { width, height, wraps } = raster;
  const perCell = Math.min(SAMPLES_PER_SIDE, Math.max(1, Math.round(stepPx)));
  const across = { start: left, stepPx, cells: columns };
  const xs = samplesAlong(across, perCell, (x) => (wraps ? around(x, width) : within(x, width)));
  const ys = samplesAlong({ start: top, stepPx, cells: rows }, perCell, (y) => within(y, height));
  const values = new Float32Array(columns * rows);
  for (let i = 0; i < ys.length; i++) {
    const row = Math.floor(i / perCell);
    const means = values.subarray(row * columns, (row + 1) * columns);
    if ('luma' in raster) addLuma(raster, ys[i] as number, { xs, perCell }, means);
    else addColours(raster, ys[i] as number, { xs, perCell }, means);
  }
  return { columns, rows, values };
};

/** A part of a grid, as large as a template. */
export const cutGrid = (
  grid: LumaGrid,
  column: number,
  row: number,
  { columns, rows }: Pick<LumaGrid, 'columns' | 'rows'>,
): LumaGrid => {
  const values = new Float32Array(columns * rows);
  for (let r = 0; r < rows; r++) {
    const from = (row + r) * grid.columns + column;
    values.set(grid.values.subarray(from, from + columns), r * columns);
  }
  return { columns, rows, values };
};
