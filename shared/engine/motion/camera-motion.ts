import { correlate, findTemplate, makeTemplate } from './match-template';
import { cutGrid, sampleLuma, type LumaGrid } from './sample-luma';
import type { Raster } from '../../domain/raster';

/** A shift in the frame, in px. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

export const STILL: Shift = { x: 0, y: 0 };

/** Reduced luma of a frame, for the comparison with the next one. */
export interface CameraView {
  /** Side of a cell of `fine`, in px; twice as much for one of `coarse`. */
  readonly stepPx: number;
  readonly fine: LumaGrid;
  readonly coarse: LumaGrid;
}

/** Cells of the finer grid along the frame's longer side. */
const CELLS = 160;
/** Maximum motion from frame to frame, in coarse cells: a thirteenth of the longer side. */
const REACH = 6;
/** Search distance in the finer grid around the result of the coarser one. */
const FINE_REACH = 2;
/** Minimum similarity at the best shift; below it two frames show different content. */
const MIN_SIMILARITY = 0.7;
/** From this similarity on, the camera has not moved. */
const SAME = 0.998;
/** A shift must reduce the difference to at most this share. */
const LEFT_OVER = 0.7;
/** Blocks across and down, and the minimum share of textured blocks that agree: a passing bus is no pan. */
const BLOCKS = { across: 5, down: 4 } as const;
const AGREEMENT = 0.6;

const halve = ({ columns, rows, values }: LumaGrid): LumaGrid => {
  const half = { columns: columns >> 1, rows: rows >> 1 };
  const means = new Float32Array(half.columns * half.rows);
  for (let row = 0, at = 0; row < half.rows; row++) {
    let from = 2 * row * columns;
    for (let column = 0; column < half.columns; column++, at++, from += 2) {
      const upper = (values[from] as number) + (values[from + 1] as number);
      means[at] = (upper + (values[from + columns] as number) + (values[from + columns + 1] as number)) / 4;
    }
  }
  return { ...half, values: means };
};

/** Samples a frame for camera motion, before it is redacted. */
export const viewFrame = (raster: Raster): CameraView => {
  const { width, height } = raster;
  const stepPx = Math.max(1, Math.max(width, height) / CELLS);
  const [columns, rows] = [Math.floor(width / stepPx), Math.floor(height / stepPx)];
  const fine = sampleLuma(raster, { left: 0, top: 0, stepPx, columns, rows });
  return { stepPx, fine, coarse: halve(fine) };
};

/** In cells. */
interface Place {
  readonly column: number;
  readonly row: number;
  readonly score: number;
}

/** How far the middle of one grid has moved in another; searched around a place in whole cells. */
const findMiddle = (before: LumaGrid, after: LumaGrid, around: Place, reach: number): Place | undefined => {
  const margin = Math.max(Math.abs(around.column), Math.abs(around.row)) + reach;
  const size = { columns: before.columns - 2 * margin, rows: before.rows - 2 * margin };
  if (size.columns < 2 * REACH || size.rows < 2 * REACH) return undefined;
  const template = makeTemplate(cutGrid(before, margin, margin, size));
  if (!template) return undefined;
  const searched = { columns: size.columns + 2 * reach, rows: size.rows + 2 * reach };
  const [left, top] = [margin - reach + around.column, margin - reach + around.row];
  const found = findTemplate([template], cutGrid(after, left, top, searched));
  return {
    column: around.column + found.column - reach,
    row: around.row + found.row - reach,
    score: found.score,
  };
};

/** Whether most of the frame has this motion, not only a large object in it. */
const isOfMajority = (before: LumaGrid, after: LumaGrid, { column, row }: Place): boolean => {
  const [dx, dy] = [Math.round(column), Math.round(row)];
  const [marginX, marginY] = [Math.abs(dx), Math.abs(dy)];
  const columns = Math.floor((before.columns - 2 * marginX) / BLOCKS.across);
  const rows = Math.floor((before.rows - 2 * marginY) / BLOCKS.down);
  let textured = 0;
  let agreeing = 0;
  for (let i = 0; i < BLOCKS.across * BLOCKS.down; i++) {
    const x = marginX + columns * (i % BLOCKS.across);
    const y = marginY + rows * Math.floor(i / BLOCKS.across);
    const block = makeTemplate(cutGrid(before, x, y, { columns, rows }));
    if (!block) continue;
    textured++;
    if (correlate(block, after, x + dx, y + dy) > correlate(block, after, x, y)) agreeing++;
  }
  return agreeing >= AGREEMENT * textured;
};

/**
 * Measures the camera's motion from one frame to the next, in px by which static objects have moved.
 *
 * @returns no motion if the result is unclear: tracks are then followed as with a static camera
 */
export const shiftBetween = (before: CameraView, after: CameraView): Shift => {
  const nowhere: Place = { column: 0, row: 0, score: 0 };
  const unmoved = findMiddle(before.fine, after.fine, nowhere, 0);
  if (!unmoved || unmoved.score >= SAME) return STILL;
  const roughly = findMiddle(before.coarse, after.coarse, nowhere, REACH);
  if (!roughly) return STILL;
  const around = { column: 2 * Math.round(roughly.column), row: 2 * Math.round(roughly.row), score: 0 };
  const found = findMiddle(before.fine, after.fine, around, FINE_REACH);
  if (!found || found.score < MIN_SIMILARITY) return STILL;
  if (1 - found.score > LEFT_OVER * (1 - unmoved.score)) return STILL;
  const isLarge = Math.round(found.column) !== 0 || Math.round(found.row) !== 0;
  if (isLarge && !isOfMajority(before.fine, after.fine, found)) return STILL;
  return { x: found.column * after.stepPx, y: found.row * after.stepPx };
};
