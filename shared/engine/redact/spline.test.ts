import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../testing/rasters';
import type { CellGrid } from './cells';
import { smoothCells } from './spline';

/** Weight of a cell at so many cells' distance: the cubic B-spline itself. */
const weightAt = (distance: number): number => {
  const d = Math.abs(distance);
  if (d >= 2) return 0;
  return d < 1 ? 2 / 3 - d ** 2 + d ** 3 / 2 : (2 - d) ** 3 / 6;
};

/** The curve at one pixel, by its definition: cells beyond the grid's ends are as those at its ends. */
const levelAt = (
  { columns, rows, means }: CellGrid,
  [width, height]: readonly [number, number],
  [x, y]: readonly [number, number],
  channel: number,
): number => {
  const [u, v] = [((x + 0.5) * columns) / width - 0.5, ((y + 0.5) * rows) / height - 0.5];
  let level = 0;
  for (let row = -3; row < rows + 3; row++) {
    for (let column = -3; column < columns + 3; column++) {
      const [inX, inY] = [Math.min(Math.max(column, 0), columns - 1), Math.min(Math.max(row, 0), rows - 1)];
      const mean = means[(inY * columns + inX) * 3 + channel] as number;
      level += weightAt(u - column) * weightAt(v - row) * mean;
    }
  }
  return level;
};

const channelOf = (word: number, channel: number): number => (word >>> (8 * channel)) & 0xff;

describe('cells that are smoothed between knots', () => {
  it.each([
    [1, 1, 1, 1],
    [7, 5, 1, 1],
    [9, 13, 2, 3],
    [120, 40, 4, 9],
    [200, 333, 2, 3],
    [1500, 70, 2, 1],
  ])(
    'equal those that are smoothed pixel by pixel: %i × %i px, %i × %i cells',
    (width, height, columns, rows) => {
      const random = seededRandom(width);
      // As unlike each other as cells can be: nothing bends the curve more.
      const means = Float32Array.from({ length: 3 * columns * rows }, () => (random() < 0.5 ? 0 : 255));
      const grid: CellGrid = { columns, rows, means };
      const drawRow = smoothCells(grid, width, height);
      const colours = new Int32Array(width);
      const wrong: string[] = [];
      for (let y = 0; y < height; y += 1 + (y % 7)) {
        const [from, to] = [Math.floor(random() * width * 0.3), width - Math.floor(random() * width * 0.3)];
        drawRow(y, from, to, { words: colours, start: 0 });
        for (let x = from; x < to; x += 1 + (x % 5)) {
          const word = colours[x] as number;
          if (word >>> 24 !== 255) wrong.push(`${x}, ${y}: not opaque`);
          for (const channel of [0, 1, 2]) {
            const exact = levelAt(grid, [width, height], [x, y], channel);
            const difference = Math.abs(channelOf(word, channel) - exact);
            if (difference > 1.1) wrong.push(`${x}, ${y}: ${difference}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
