import { describe, expect, it } from 'vitest';
import { fillHoles } from './segment';
import { stretchTo } from '../pixels/letterbox';

/** `#` is surely the object's, `.` surely not. */
const filled = (...rows: readonly string[]): string[] => {
  const width = rows[0]!.length;
  const data = Float32Array.from(rows.join(''), (cell) => (cell === '#' ? 0.9 : 0.1));
  const tile = { x: 0, y: 0, width: 1, height: 1, wraps: false };
  fillHoles({ data, fit: stretchTo(tile, width, rows.length) }, 0.5);
  return rows.map((_, y) =>
    Array.from(data.subarray(y * width, (y + 1) * width), (value) => (value > 0.5 ? '#' : '.')).join(''),
  );
};

describe('the holes of a mask', () => {
  it('are closed if they are enclosed', () => {
    expect(filled('.....', '.###.', '.#.#.', '.###.', '.....')).toEqual([
      '.....',
      '.###.',
      '.###.',
      '.###.',
      '.....',
    ]);
  });

  it('stay open if they reach the edge, but not through corners', () => {
    expect(filled('.#.#', '####', '#..#', '####')).toEqual(['.#.#', '####', '####', '####']);
    expect(filled('##.#', '#..#', '####')).toEqual(['##.#', '#..#', '####']);
    expect(filled('.##', '#.#', '###')).toEqual(['.##', '###', '###']);
  });
});
