import { RGBA, type LumaRaster, type Raster } from '../../domain/raster';
import { clamp } from '../../domain/clamp';
import { around } from '../pixels/scale-row';

/** Mean luma of square cells, row-major, 0..255. */
export interface LumaGrid {
  readonly columns: number;
  readonly rows: number;
  readonly values: Float32Array;
}

/** A template to match: mean 0, length 1 as a vector. */
export type Template = LumaGrid;

/** The best match of a template, in cells from the grid's corner, with subcell precision. */
export interface TemplateMatch {
  readonly column: number;
  readonly row: number;
  /** Normalised cross-correlation, -1..1. */
  readonly score: number;
}

/** Pixels sampled of a large cell, across and down: more would not change the mean much. */
const SAMPLES_PER_SIDE = 4;
/** Minimum standard deviation of luma: below it a template is the noise of a plain surface. */
const FLAT = 2.5;

/** Luma of BT.601 of the pixel whose bytes begin at an offset. */
const lumaOf = (data: Raster['data'], at: number): number =>
  0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);

/** A raster without its colours, in memory of its own. */
export const lumaRaster = ({ data, width, height, wraps }: Raster): LumaRaster => {
  const luma = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < luma.length; i++, at += RGBA) luma[i] = lumaOf(data, at) + 0.5;
  return { width, height, luma, ...(wraps && { wraps }) };
};

/** Reads the luma of a pixel by its number. */
const lumaReader = (from: Raster | LumaRaster): ((pixel: number) => number) => {
  if ('luma' in from) return (pixel) => from.luma[pixel] as number;
  return (pixel) => lumaOf(from.data, pixel * RGBA);
};

/** Pixels to read for each cell along one side: `samples` of them for each. */
const samplesAlong = (start: number, stepPx: number, cells: number, samples: number): Int32Array =>
  Int32Array.from({ length: cells * samples }, (_, i) => Math.floor(start + ((i + 0.5) * stepPx) / samples));

/** A part of a frame, and the cells over it. */
interface LumaArea extends Omit<LumaGrid, 'values'> {
  readonly left: number;
  readonly top: number;
  /** Side of a cell in px, at least 1. */
  readonly stepPx: number;
}

/** Samples a part of a frame at a reduced scale; beyond the edge its pixels repeat, or a panorama continues. */
export const sampleLuma = (
  raster: Raster | LumaRaster,
  { left, top, stepPx, columns, rows }: LumaArea,
): LumaGrid => {
  const samples = Math.min(SAMPLES_PER_SIDE, Math.max(1, Math.round(stepPx)));
  const unrolled = samplesAlong(left, stepPx, columns, samples);
  const { width, height, wraps } = raster;
  const xs = unrolled.map((x) => (wraps ? around(x, width) : clamp(x, 0, width - 1)));
  const ys = samplesAlong(top, stepPx, rows, samples).map((y) => clamp(y, 0, height - 1));
  const read = lumaReader(raster);
  const values = new Float32Array(columns * rows);
  const share = 1 / samples ** 2;
  for (const [j, y] of ys.entries()) {
    const row = Math.floor(j / samples) * columns;
    for (let i = 0; i < xs.length; i++) {
      const at = row + Math.floor(i / samples);
      values[at] = (values[at] as number) + share * read(y * width + (xs[i] as number));
    }
  }
  return { columns, rows, values };
};

/** @returns undefined for a plain surface, which cannot be located */
export const makeTemplate = ({ columns, rows, values }: LumaGrid): Template | undefined => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const centred = values.map((value) => value - mean);
  const length = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0));
  if (length < FLAT * Math.sqrt(values.length)) return undefined;
  return { columns, rows, values: centred.map((value) => value / length) };
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

/** Normalised cross-correlation of a template with the part of a grid that begins at a cell. */
export const correlate = (template: Template, grid: LumaGrid, column = 0, row = 0): number => {
  const { columns, rows, values: cellsOfTemplate } = template;
  let product = 0;
  let sum = 0;
  let squares = 0;
  for (let r = 0, at = 0; r < rows; r++) {
    for (let from = (row + r) * grid.columns + column, end = from + columns; from < end; from++, at++) {
      const value = grid.values[from] as number;
      product += (cellsOfTemplate[at] as number) * value;
      sum += value;
      squares += value * value;
    }
  }
  const cells = columns * rows;
  const length = Math.sqrt(Math.max(0, squares - (sum * sum) / cells));
  return length < FLAT * Math.sqrt(cells) ? 0 : product / length;
};

/** Offset of the maximum of the parabola through three neighbours from the middle one, at most half a step. */
const peak = (before: number, at: number, after: number): number => {
  const bend = before - 2 * at + after;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : 0;
};

/** Score deducted at the search's rim, so that the nearer of two equal matches wins. */
const DISTANCE_COST = 0.1;

/**
 * Finds a template in a grid.
 *
 * @param templates of equal size; the score of a place is the best of their scores
 */
export const findTemplate = (templates: readonly Template[], grid: LumaGrid): TemplateMatch => {
  const [{ columns, rows }] = templates as readonly [Template];
  const [across, down] = [grid.columns - columns + 1, grid.rows - rows + 1];
  const scores = new Float32Array(across * down);
  const radius = Math.max(1, Math.hypot(across, down) / 2);
  let best = 0;
  let bestWorth = -Infinity;
  for (let row = 0, at = 0; row < down; row++) {
    for (let column = 0; column < across; column++, at++) {
      let score = -1;
      for (const template of templates) score = Math.max(score, correlate(template, grid, column, row));
      scores[at] = score;
      const distance = Math.hypot(column - (across - 1) / 2, row - (down - 1) / 2) / radius;
      const worth = score - DISTANCE_COST * distance;
      if (worth <= bestWorth) continue;
      best = at;
      bestWorth = worth;
    }
  }
  const [column, row] = [best % across, Math.floor(best / across)];
  const score = scores[best] as number;
  const scoreAt = (c: number, r: number): number =>
    c < 0 || r < 0 || c >= across || r >= down ? score : (scores[r * across + c] as number);
  return {
    column: column + peak(scoreAt(column - 1, row), score, scoreAt(column + 1, row)),
    row: row + peak(scoreAt(column, row - 1), score, scoreAt(column, row + 1)),
    score,
  };
};
