import type { LumaGrid } from './sample-luma';

/** A template to match: mean 0, length 1 as a vector. */
export type Template = LumaGrid;

/** The best match of a template, in cells from the grid's corner, with subcell precision. */
export interface TemplateMatch {
  readonly column: number;
  readonly row: number;
  /** Normalised cross-correlation, -1..1. */
  readonly score: number;
}

/** Minimum standard deviation of luma: below it a template is the noise of a plain surface. */
const FLAT = 2.5;

/** @returns undefined for a plain surface, which cannot be located */
export const makeTemplate = ({ columns, rows, values }: LumaGrid): Template | undefined => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  const mean = sum / values.length;
  const centred = new Float32Array(values.length);
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Math.fround((values[i] as number) - mean);
    centred[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length < FLAT * Math.sqrt(values.length)) return undefined;
  for (let i = 0; i < centred.length; i++) centred[i] = (centred[i] as number) / length;
  return { columns, rows, values: centred };
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
