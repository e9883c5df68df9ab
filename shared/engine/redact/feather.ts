import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { byteRow, endOfRun } from '../pixels/byte-runs';
import { createBlockCounts, type BlockCounts, type ColumnRange } from './near-blocks';

/** Chamfer 5-7-11 would be closer, but 3-4 (Borgefors 1986) is within 8 % and one table less: this is a soft edge. */
const STRAIGHT = 3;
const DIAGONAL = 4;
/** Cover of what is fully hidden, and nearness of a cell that holds such a pixel. */
const COVERED = 255;
/** Strongest cover of a pixel that is not fully hidden. */
const MAX_EDGE_COVER = 254;
/** From this width on, a soft edge is measured in cells of several pixels: nobody sees the difference. */
const MIN_CELLED_PX = 20;
/** The widest edge, in cells, whose distances fit in a byte. */
const MAX_CELLS = 80;
/** Side of the blocks that determine what is near an edge, in cells. */
const BLOCK_CELLS = 16;

/** Side in px of the cells in which distances are measured, a power of two. */
const cellFor = (featherPx: number): number =>
  featherPx < MIN_CELLED_PX ? 1 : Math.max(2, 2 ** Math.ceil(Math.log2(featherPx / MAX_CELLS)));

/**
 * How near cells are to one that holds a covered pixel: `COVERED`, less `STRAIGHT` for each cell of distance.
 *
 * With a border of one cell in which all are 0: far.
 */
interface NearMap {
  readonly data: Uint8Array;
  readonly stride: number;
  /** How often a px is halved to get its cell. */
  readonly shift: number;
}

/** Marks the cells that hold covered pixels, and counts those by block. */
const startMap = (
  alpha: Uint8Array,
  width: number,
  height: number,
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

/** Without a branch, which would be guessed wrong half the time. */
const larger = (a: number, b: number): number => a - ((a - b) & ((a - b) >> 31));

/** The first pass, forwards over a part of a row: as near as the neighbours above and to the left let a cell be. */
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

/** The second pass, backwards: the other four neighbours. */
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

/** @param rows of cells */
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

/** Cover by nearness: by the minimum distance in px of two pixels that many cells apart. */
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
 * Only outside: inside the object alpha stays 255, so softness never thins the protection. Only near the edge is
 * anything measured: of a large object that is a fifth of its rectangle. A wide edge is measured in cells of several
 * pixels, and is nowhere weaker for that.
 *
 * @param alpha 255 or 0, row-major over `box`
 */
export const feather = (alpha: Uint8Array, box: Box, featherPx: number): void => {
  const width = boxWidth(box);
  const height = boxHeight(box);
  const cellPx = cellFor(featherPx);
  const blockPx = BLOCK_CELLS * cellPx;
  const counts = createBlockCounts(width, height, blockPx);
  const map = startMap(alpha, width, height, cellPx, counts);
  const edges = counts.edges(Math.ceil(featherPx / blockPx));
  measure(map, edges, Math.ceil(height / cellPx));
  const cover = coverBy(featherPx, cellPx);
  edges.forEach((stretches, row) => {
    const bottom = Math.min(height, (row + 1) * blockPx);
    for (let y = row * blockPx; y < bottom; y++) {
      const cells = ((y >> map.shift) + 1) * map.stride + 1;
      for (const { from, to } of stretches) {
        for (let x = from, at = y * width + from; x < to; x++, at++) {
          if (alpha[at] !== COVERED) {
            alpha[at] = cover[map.data[cells + (x >> map.shift)] as number] as number;
          }
        }
      }
    }
  });
};
