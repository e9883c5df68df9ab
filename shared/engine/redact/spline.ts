import type { CellGrid } from './cells';
import { OPAQUE } from '../../domain/raster';

/** Number of times that the outer cells are repeated, so that every knot has four neighbouring cells. */
const PAD = 3;
/** Knots for each cell: linear interpolation between them differs from the curve by at most a quarter of a level. */
const KNOTS_PER_CELL = 16;
/** Maximum distance of knots in px: beyond it the rounded slope of a line is wrong by half a level at its end. */
const MAX_STEP_PX = 64;

/** Knots along one side of a rectangle, with the cells and weights of a cubic B-spline at each. */
interface Knots {
  /** Distance between knots in px; the first knot is at the first px. */
  readonly step: number;
  /** Index of the first of four neighbouring cells in the padded grid, for each knot. */
  readonly first: Int32Array;
  /** Four weights for each knot. */
  readonly weight: Float32Array;
}

const planKnots = (length: number, cells: number, step: number): Knots => {
  const count = Math.ceil(length / step) + 1;
  const first = new Int32Array(count);
  const weight = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) {
    const at = ((i * step + 0.5) * cells) / length - 0.5;
    const t = at - Math.floor(at);
    first[i] = Math.floor(at) - 1 + PAD;
    weight[4 * i] = (1 - t) ** 3 / 6;
    weight[4 * i + 1] = (3 * t ** 3 - 6 * t ** 2 + 4) / 6;
    weight[4 * i + 2] = (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6;
    weight[4 * i + 3] = t ** 3 / 6;
  }
  return { step, first, weight };
};

const stepFor = (length: number, cells: number): number =>
  Math.min(MAX_STEP_PX, Math.max(1, Math.floor(length / cells / KNOTS_PER_CELL)));

/** Blends the grid's rows at one vertical knot, with columns repeated at both ends: RGB triplets. */
const blendRows = (
  { columns, rows, means }: CellGrid,
  down: Knots,
  knot: number,
  out: Float32Array,
): void => {
  out.fill(0);
  for (let k = 0; k < 4; k++) {
    const w = down.weight[4 * knot + k] as number;
    const row = Math.min(Math.max((down.first[knot] as number) + k - PAD, 0), rows - 1);
    for (let i = 0; i < out.length; i++) {
      const column = Math.min(Math.max(Math.floor(i / 3) - PAD, 0), columns - 1);
      out[i] = (out[i] as number) + w * (means[(row * columns + column) * 3 + (i % 3)] as number);
    }
  }
};

/** Blends four cells of a row at each horizontal knot: RGB triplets. */
const blendColumns = (line: Float32Array, { first, weight }: Knots, out: Float32Array): void => {
  for (let knot = 0, to = 0; knot < first.length; knot++) {
    const at = (first[knot] as number) * 3;
    const a = weight[4 * knot] as number;
    const b = weight[4 * knot + 1] as number;
    const c = weight[4 * knot + 2] as number;
    const d = weight[4 * knot + 3] as number;
    for (let i = at; i < at + 3; i++, to++) {
      out[to] =
        a * (line[i] as number) +
        b * (line[i + 3] as number) +
        c * (line[i + 6] as number) +
        d * (line[i + 9] as number);
    }
  }
};

/**
 * Levels of one row at its knots, in 1/256, with half a level added for rounding. Blue and red share a word, 16 bits
 * each.
 */
interface RowLevels {
  /** Px from knot to knot. */
  readonly step: number;
  readonly redBlue: Int32Array;
  readonly green: Int32Array;
}

const FRACTION = 256;
const HALF = 128;
const LANE = 0xffff;

/** Interpolates the levels between two rows of knots. @param share 0 at the upper row, 1 at the lower */
const placeLevels = (
  upper: Float32Array,
  lower: Float32Array,
  share: number,
  { redBlue, green }: RowLevels,
): void => {
  const ofLower = share * FRACTION;
  const ofUpper = FRACTION - ofLower;
  for (let knot = 0, i = 0; knot < green.length; knot++, i += 3) {
    const red = (upper[i] as number) * ofUpper + (lower[i] as number) * ofLower + HALF;
    const blue = (upper[i + 2] as number) * ofUpper + (lower[i + 2] as number) * ofLower + HALF;
    redBlue[knot] = (blue << 16) | red;
    green[knot] = (upper[i + 1] as number) * ofUpper + (lower[i + 1] as number) * ofLower + HALF;
  }
};

/** Words of an image or of a buffer, with the place of a rectangle's column 0 in them. */
interface WordRow {
  readonly words: Int32Array;
  readonly start: number;
}

/**
 * Writes the new colours of one row's columns [from, to), one word for each column.
 *
 * Row and columns count from the corner of the covered rectangle. Rows are requested from top to bottom, some several
 * times, some never.
 */
export type SpanPainter = (y: number, from: number, to: number, row: WordRow) => void;

/** Interpolates linearly between the knots, over columns [from, to). */
const drawLines = (
  { redBlue, green, step }: RowLevels,
  from: number,
  to: number,
  { words, start }: WordRow,
): void => {
  for (let knot = Math.floor(from / step), x = from; x < to; knot++) {
    let both = redBlue[knot] as number;
    let one = green[knot] as number;
    const next = redBlue[knot + 1] as number;
    const redStep = (((next & LANE) - (both & LANE)) / step) | 0;
    const blueStep = (((next >>> 16) - (both >>> 16)) / step) | 0;
    const bothStep = ((blueStep << 16) + redStep) | 0;
    const oneStep = (((green[knot + 1] as number) - one) / step) | 0;
    const passed = x - knot * step;
    both = (both + Math.imul(bothStep, passed)) | 0;
    one += Math.imul(oneStep, passed);
    for (const end = Math.min(to, (knot + 1) * step); x < end; x++) {
      words[start + x] = OPAQUE | ((both >>> 8) & 0xff00ff) | (one & 0xff00);
      both = (both + bothStep) | 0;
      one += oneStep;
    }
  }
};

/** @returns a function that gives the levels at the knots for a row of pixels */
const createLevels = (grid: CellGrid, across: Knots, down: Knots): ((y: number) => RowLevels) => {
  const knots = across.first.length;
  const line = new Float32Array((grid.columns + 2 * PAD) * 3);
  const { step } = across;
  const levels: RowLevels = { step, redBlue: new Int32Array(knots), green: new Int32Array(knots) };
  const blend = (knot: number, out: Float32Array): void => {
    blendRows(grid, down, knot, line);
    blendColumns(line, across, out);
  };
  let upper = new Float32Array(3 * knots);
  let lower = new Float32Array(3 * knots);
  let blended = -1;
  let placed = -1;
  return (y) => {
    if (y === placed) return levels;
    const knot = Math.floor(y / down.step);
    if (knot !== blended) {
      [upper, lower] = [lower, upper];
      if (blended < 0 || knot !== blended + 1) blend(knot, upper);
      blend(knot + 1, lower);
      blended = knot;
    }
    placeLevels(upper, lower, y / down.step - knot, levels);
    placed = y;
    return levels;
  };
};

/**
 * Smooths a grid's cells over a rectangle by a cubic B-spline.
 *
 * The curve is computed at 16 knots for each cell side and interpolated linearly between them: the error is below half
 * a level.
 *
 * @returns a function that writes the words of columns [from, to) of a row
 */
export const smoothCells = (grid: CellGrid, width: number, height: number): SpanPainter => {
  const across = planKnots(width, grid.columns, stepFor(width, grid.columns));
  const down = planKnots(height, grid.rows, stepFor(height, grid.rows));
  const levelsOf = createLevels(grid, across, down);
  return (y, from, to, row) => drawLines(levelsOf(y), from, to, row);
};
