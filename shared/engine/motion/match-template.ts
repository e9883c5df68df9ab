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

/** Length of a part of a grid as a vector of mean 0; 0 for a plain surface, which matches nothing. */
const lengthOf = (sum: number, squares: number, cells: number): number => {
  const length = Math.sqrt(Math.max(0, squares - (sum * sum) / cells));
  return length < FLAT * Math.sqrt(cells) ? 0 : length;
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
  const length = lengthOf(sum, squares, columns * rows);
  return length === 0 ? 0 : product / length;
};

/** A template or a searched grid in the precision of sums. */
interface WideGrid extends Pick<LumaGrid, 'columns' | 'rows'> {
  readonly values: Float64Array;
}

/** Neighbouring places whose products are summed together: additions to a single sum wait for each other. */
const AT_ONCE = 4;

/** A copy with some more cells at its end: sums of four places at once read beyond the last place. */
const widen = ({ columns, rows, values }: LumaGrid): WideGrid => {
  const wide = new Float64Array(values.length + AT_ONCE - 1);
  wide.set(values);
  return { columns, rows, values: wide };
};

/** Multiplies a template with the parts of a grid that begin in one row. @param out a multiple of four places */
const multiplyRow = (template: WideGrid, grid: WideGrid, row: number, out: Float64Array): void => {
  const { columns, rows, values: t } = template;
  const { columns: stride, values: g } = grid;
  for (let column = 0; column < out.length; column += AT_ONCE) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let r = 0; r < rows; r++) {
      const start = (row + r) * stride + column;
      let i = 0;
      for (; i <= columns - 4; i += 4) {
        const at = r * columns + i;
        const from = start + i;
        const t0 = t[at]!;
        const t1 = t[at + 1]!;
        const t2 = t[at + 2]!;
        const t3 = t[at + 3]!;
        const g1 = g[from + 1]!;
        const g2 = g[from + 2]!;
        const g3 = g[from + 3]!;
        const g4 = g[from + 4]!;
        const g5 = g[from + 5]!;
        a = a + t0 * g[from]! + t1 * g1 + t2 * g2 + t3 * g3;
        b = b + t0 * g1 + t1 * g2 + t2 * g3 + t3 * g4;
        c = c + t0 * g2 + t1 * g3 + t2 * g4 + t3 * g5;
        d = d + t0 * g3 + t1 * g4 + t2 * g5 + t3 * g[from + 6]!;
      }
      for (; i < columns; i++) {
        const cell = t[r * columns + i]!;
        const from = start + i;
        a += cell * g[from]!;
        b += cell * g[from + 1]!;
        c += cell * g[from + 2]!;
        d += cell * g[from + 3]!;
      }
    }
    out[column] = a;
    out[column + 1] = b;
    out[column + 2] = c;
    out[column + 3] = d;
  }
};

/** Sums of each column of a grid, over as many rows as a template has. */
interface ColumnSums {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/** Adds a row of a grid to the sums of its columns, or subtracts it. */
const addRow = (
  { columns, values }: WideGrid,
  row: number,
  sign: 1 | -1,
  { sums, squares }: ColumnSums,
): void => {
  for (let column = 0, at = row * columns; column < columns; column++, at++) {
    const value = values[at] as number;
    sums[column] = (sums[column] as number) + sign * value;
    squares[column] = (squares[column] as number) + sign * value * value;
  }
};

/** Measures the parts of a grid, as wide as a template, by the sums of their columns. */
const measureRow = (
  { columns, rows }: WideGrid,
  { sums, squares }: ColumnSums,
  lengths: Float64Array,
): void => {
  let sum = 0;
  let square = 0;
  for (let i = 0; i < sums.length; i++) {
    sum += sums[i] as number;
    square += squares[i] as number;
    const column = i + 1 - columns;
    if (column < 0) continue;
    lengths[column] = lengthOf(sum, square, columns * rows);
    sum -= sums[column] as number;
    square -= squares[column] as number;
  }
};

/**
 * Correlates templates with all parts of a grid, row by row. The sums that all templates need are updated from place to
 * place.
 *
 * @returns a function that gives the best score of each part that begins in the next row, valid until its next call
 */
const createRowScorer = (templates: readonly Template[], searched: LumaGrid): (() => Float64Array) => {
  const grid = widen(searched);
  const wide = templates.map(widen);
  const [first] = wide as [WideGrid];
  const across = grid.columns - first.columns + 1;
  const places = AT_ONCE * Math.ceil(across / AT_ONCE);
  const products = new Float64Array(places);
  const lengths = new Float64Array(places);
  const scores = new Float64Array(places);
  const columns = { sums: new Float64Array(grid.columns), squares: new Float64Array(grid.columns) };
  for (let row = 0; row < first.rows - 1; row++) addRow(grid, row, 1, columns);
  let row = 0;
  return () => {
    addRow(grid, row + first.rows - 1, 1, columns);
    measureRow(first, columns, lengths);
    addRow(grid, row, -1, columns);
    scores.fill(-1);
    for (const template of wide) {
      multiplyRow(template, grid, row, products);
      for (let column = 0; column < across; column++) {
        const length = lengths[column] as number;
        const score = length === 0 ? 0 : (products[column] as number) / length;
        if (score > (scores[column] as number)) scores[column] = score;
      }
    }
    row++;
    return scores;
  };
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
  const scoreRow = createRowScorer(templates, grid);
  let best = 0;
  let bestWorth = -Infinity;
  for (let row = 0, at = 0; row < down; row++) {
    const scoresOfRow = scoreRow();
    for (let column = 0; column < across; column++, at++) {
      const score = scoresOfRow[column] as number;
      scores[at] = score;
      if (score <= bestWorth) continue;
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
