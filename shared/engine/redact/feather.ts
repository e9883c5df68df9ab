import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import { byteRow, endOfRun } from '../pixels/runs';

/** Columns [from, to) of one row of blocks, in px. */
interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

/** Counts the covered pixels of a rectangle, block by block. */
interface BlockCounts {
  /** Counts a run of covered pixels: columns [from, to) of row `y`. Each pixel must be added once. */
  add(y: number, from: number, to: number): void;
  /**
   * Returns the parts of each row of blocks that a soft edge can reach.
   *
   * @param reach distance in blocks up to which a block is near one with covered pixels
   * @returns for each row of blocks, the ranges of near blocks that contain uncovered pixels
   */
  edges(reach: number): readonly (readonly ColumnRange[])[];
}

/** Equally spaced places, or lines. */
interface Series {
  readonly count: number;
  readonly step: number;
}

/** Marks all places at most `reach` before or after a marked one on their line. */
const spreadLines = (
  marks: Uint8Array,
  reach: number,
  lines: Series,
  { count, step }: Series,
): Uint8Array => {
  const spread = new Uint8Array(marks.length);
  for (let line = 0; line < lines.count; line++) {
    const start = line * lines.step;
    const end = start + count * step;
    for (let at = start, left = 0; at < end; at += step) {
      left = marks[at] ? reach + 1 : left - 1;
      if (left > 0) spread[at] = 1;
    }
    for (let at = end - step, left = 0; at >= start; at -= step) {
      left = marks[at] ? reach + 1 : left - 1;
      if (left > 0) spread[at] = 1;
    }
  }
  return spread;
};

/** Counts of all blocks from their differences. @param changes difference of each block's count to the block before */
const sumChanges = (changes: Int32Array, columns: number, rows: number): Int32Array => {
  const stride = changes.length / rows;
  const counts = new Int32Array(columns * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0, count = 0; column < columns; column++, at++) {
      count += changes[row * stride + column] as number;
      counts[at] = count;
    }
  }
  return counts;
};

/** @param side side of a block, in px */
const createBlockCounts = (width: number, height: number, side: number): BlockCounts => {
  const columns = Math.ceil(width / side);
  const rows = Math.ceil(height / side);
  // Differences between neighbouring blocks: a run of any length changes four numbers.
  const stride = columns + 2;
  const changes = new Int32Array(stride * rows);
  const change = (x: number, row: number, sign: 1 | -1): void => {
    const at = row * stride + Math.floor(x / side);
    changes[at] = (changes[at] as number) + sign * (side - (x % side));
    changes[at + 1] = (changes[at + 1] as number) + sign * (x % side);
  };
  return {
    add: (y, from, to) => {
      const row = Math.floor(y / side);
      change(from, row, 1);
      change(to, row, -1);
    },
    edges: (reach) => {
      const counts = sumChanges(changes, columns, rows);
      const marks = Uint8Array.from(counts, (count) => (count > 0 ? 1 : 0));
      const [down, across] = [
        { count: rows, step: columns },
        { count: columns, step: 1 },
      ];
      const near = spreadLines(spreadLines(marks, reach, down, across), reach, across, down);
      return Array.from({ length: rows }, (_, row) => {
        const stretches: ColumnRange[] = [];
        const blockHeight = Math.min(side, height - row * side);
        for (let column = 0, at = row * columns; column < columns; column++, at++) {
          const from = column * side;
          const to = Math.min(width, from + side);
          if (near[at] === 0 || counts[at] === blockHeight * (to - from)) continue;
          const last = stretches.at(-1);
          if (last?.to === from) stretches[stretches.length - 1] = { from: last.from, to };
          else stretches.push({ from, to });
        }
        return stretches;
      });
    },
  };
};

/**
 * Weights of the chamfer distance 3-4 (Borgefors 1986): within 8 % of the Euclidean distance, enough for a soft edge.
 */
const STRAIGHT = 3;
const DIAGONAL = 4;
/** Coverage of a fully hidden pixel, and nearness of a cell that contains one. */
const COVERED = 255;
/** Maximum coverage of a pixel in the soft edge. */
const MAX_EDGE_COVER = 254;
/** Width in px from which a soft edge is measured in cells of several pixels: the difference is invisible. */
const MIN_CELLED_PX = 20;
/** Maximum width of an edge, in cells, so that distances fit in a byte. */
const MAX_CELLS = 80;
/** Side of the blocks in which pixels near an edge are searched, in cells. */
const BLOCK_CELLS = 16;

/** Side in px of the cells in which distances are measured, a power of two. */
const cellFor = (featherPx: number): number =>
  featherPx < MIN_CELLED_PX ? 1 : Math.max(2, 2 ** Math.ceil(Math.log2(featherPx / MAX_CELLS)));

/**
 * Nearness of each cell to the nearest one with a covered pixel: `COVERED`, minus `STRAIGHT` for each cell of distance.
 *
 * A border of one cell with nearness 0 surrounds the map.
 */
interface NearMap {
  readonly data: Uint8Array;
  readonly stride: number;
  /** Shift that converts px to cells. */
  readonly shift: number;
}

/** Marks the cells that contain covered pixels, and counts these pixels by block. */
const startMap = (
  alpha: Uint8Array,
  { width, height }: Size,
  cellPx: number,
  counts: BlockCounts,
): NearMap => {
  const shift = Math.log2(cellPx);
  const stride = Math.ceil(width / cellPx) + 2;
  const data = new Uint8Array(stride * (Math.ceil(height / cellPx) + 2));
  const bytes = byteRow(alpha);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const cells = ((y >> shift) + 1) * stride + 1;
    for (let from = 0, to = 0; from < width; from = to) {
      to = endOfRun(bytes, start + from, start + width) - start;
      if (alpha[start + from] !== COVERED) continue;
      data.fill(COVERED, cells + (from >> shift), cells + ((to - 1) >> shift) + 1);
      counts.add(y, from, to);
    }
  }
  return { data, stride, shift };
};

/** Maximum without a branch: half of the branches would be mispredicted. */
const larger = (a: number, b: number): number => a - ((a - b) & ((a - b) >> 31));

/** The first pass of the distance transform, forwards over a part of a row: the neighbours above and to the left. */
const passForwards = ({ data, stride }: NearMap, from: number, to: number): void => {
  let left = data[from - 1] as number;
  let upperLeft = data[from - stride - 1] as number;
  let upper = data[from - stride] as number;
  for (let at = from; at < to; at++) {
    const upperRight = data[at - stride + 1] as number;
    const above = larger(upper - STRAIGHT, larger(upperLeft, upperRight) - DIAGONAL);
    left = larger(data[at] as number, larger(left - STRAIGHT, above));
    data[at] = left;
    upperLeft = upper;
    upper = upperRight;
  }
};

/** The second pass, backwards: the neighbours below and to the right. */
const passBackwards = ({ data, stride }: NearMap, from: number, to: number): void => {
  let right = data[to] as number;
  let lowerRight = data[to + stride] as number;
  let lower = data[to + stride - 1] as number;
  for (let at = to - 1; at >= from; at--) {
    const lowerLeft = data[at + stride - 1] as number;
    const below = larger(lower - STRAIGHT, larger(lowerLeft, lowerRight) - DIAGONAL);
    right = larger(data[at] as number, larger(right - STRAIGHT, below));
    data[at] = right;
    lowerRight = lower;
    lower = lowerLeft;
  }
};

/** Measures the nearness of all cells that a soft edge can reach. @param rows number of rows of cells */
const measure = (map: NearMap, edges: readonly (readonly ColumnRange[])[], rows: number): void => {
  const { stride, shift } = map;
  const stretchesOf = (y: number): readonly ColumnRange[] => edges[Math.floor(y / BLOCK_CELLS)] ?? [];
  const place = (x: number, y: number): number => (y + 1) * stride + x + 1;
  const endOf = (to: number): number => ((to - 1) >> shift) + 1;
  for (let y = 0; y < rows; y++) {
    for (const { from, to } of stretchesOf(y)) {
      passForwards(map, place(from >> shift, y), place(endOf(to), y));
    }
  }
  for (let y = rows - 1; y >= 0; y--) {
    for (const { from, to } of stretchesOf(y).toReversed()) {
      passBackwards(map, place(from >> shift, y), place(endOf(to), y));
    }
  }
};

/** Coverage by nearness, from the minimum distance in px between pixels of two cells at this distance. */
const coverBy = (featherPx: number, cellPx: number): Uint8Array => {
  const reach = featherPx * STRAIGHT;
  return Uint8Array.from({ length: COVERED + 1 }, (_, nearness) => {
    if (nearness === 0) return 0;
    const distance = Math.max(1, (COVERED - nearness) * cellPx - DIAGONAL * (cellPx - 1));
    return distance < reach ? Math.round(MAX_EDGE_COVER * (1 - distance / reach)) : 0;
  });
};

/**
 * Adds a soft edge outside the fully hidden pixels.
 *
 * Inside the object alpha stays 255, so that the soft edge never weakens the redaction. Distances are measured only
 * near the edge: for a large object in a fifth of its rectangle. A wide edge is measured in cells of several pixels,
 * and is nowhere weaker than one measured in pixels.
 *
 * @param alpha 255 or 0, row-major over `box`
 */
export const feather = (alpha: Uint8Array, box: Box, featherPx: number): void => {
  const width = boxWidth(box);
  const height = boxHeight(box);
  const cellPx = cellFor(featherPx);
  const blockPx = BLOCK_CELLS * cellPx;
  const counts = createBlockCounts(width, height, blockPx);
  const map = startMap(alpha, { width, height }, cellPx, counts);
  const edges = counts.edges(Math.ceil(featherPx / blockPx));
  measure(map, edges, Math.ceil(height / cellPx));
  const cover = coverBy(featherPx, cellPx);
  edges.forEach((stretches, row) => {
    const bottom = Math.min(height, (row + 1) * blockPx);
    for (let y = row * blockPx; y < bottom; y++) {
      const start = y * width;
      const cells = ((y >> map.shift) + 1) * map.stride + 1;
      for (const { from, to } of stretches) {
        for (let x = from; x < to;) {
          const cell = x >> map.shift;
          const end = Math.min(to, (cell + 1) << map.shift);
          const edgeCover = cover[map.data[cells + cell] as number] as number;
          // Most cells are too far away: their pixels stay as they are.
          if (edgeCover === 0) x = end;
          for (; x < end; x++) if (alpha[start + x] !== COVERED) alpha[start + x] = edgeCover;
        }
      }
    }
  });
};
