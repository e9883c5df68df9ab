/** Columns [from, to) of one row of blocks, in px. */
export interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

/** Counts the covered pixels of a rectangle, block by block. */
export interface BlockCounts {
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

/** Marks all places at most `reach` before or after a marked one on a line. */
const spreadLine = (
  marks: Uint8Array,
  spread: Uint8Array,
  start: number,
  step: number,
  length: number,
  reach: number,
): void => {
  const end = start + length * step;
  for (let at = start, left = 0; at < end; at += step) {
    left = marks[at] ? reach + 1 : left - 1;
    if (left > 0) spread[at] = 1;
  }
  for (let at = end - step, left = 0; at >= start; at -= step) {
    left = marks[at] ? reach + 1 : left - 1;
    if (left > 0) spread[at] = 1;
  }
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
export const createBlockCounts = (width: number, height: number, side: number): BlockCounts => {
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
      const across = new Uint8Array(marks.length);
      const near = new Uint8Array(marks.length);
      for (let row = 0; row < rows; row++) spreadLine(marks, across, row * columns, 1, columns, reach);
      for (let column = 0; column < columns; column++) {
        spreadLine(across, near, column, columns, rows, reach);
      }
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
