import { describe, expect, it } from 'vitest';
import { correlate, findTemplate, makeTemplate, type Template } from './match-template';
import { cutGrid, type LumaGrid } from './sample-luma';

/** A grid of noise. */
const noise = (columns: number, rows: number): LumaGrid => {
  let seed = 7;
  const next = (): number => (seed = (seed * 16_807) % 2_147_483_647) % 256;
  return { columns, rows, values: Float32Array.from({ length: columns * rows }, next) };
};

type Size = Pick<LumaGrid, 'columns' | 'rows'>;

const templateAt = (grid: LumaGrid, column: number, row: number, size: Size): Template =>
  makeTemplate(cutGrid(grid, column, row, size))!;

describe('a template', () => {
  const sizes = [4, 5, 6, 7, 8, 9, 13].flatMap((columns) =>
    [0, 1, 2, 3, 4, 5, 12].map((more) => [columns, more] as const),
  );

  it.each(sizes)('of %i columns is found wherever it is in a grid with %i more', (columns, more) => {
    const size = { columns, rows: 6 };
    const grid = noise(columns + more, size.rows + 3);
    for (let row = 0; row <= 3; row++) {
      for (let column = 0; column <= more; column++) {
        const found = findTemplate([templateAt(grid, column, row, size)], grid);
        expect(Math.abs(found.column - column)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(found.row - row)).toBeLessThanOrEqual(0.5);
        expect(found.score).toBeCloseTo(1, 5);
      }
    }
  });

  it('scores its correlation with the part where it is found', () => {
    const grid = noise(30, 20);
    const other = noise(31, 20);
    const template = templateAt(other, 9, 5, { columns: 11, rows: 7 });
    const { column, row, score } = findTemplate([template], grid);
    expect(score).toBeCloseTo(correlate(template, grid, Math.round(column), Math.round(row)), 6);
  });

  it('is found at the best place of several templates of an object', () => {
    const grid = noise(30, 20);
    const unlike = templateAt(noise(40, 20), 3, 3, { columns: 9, rows: 8 });
    for (const templates of [
      [unlike, templateAt(grid, 12, 7, { columns: 9, rows: 8 })],
      [templateAt(grid, 12, 7, { columns: 9, rows: 8 }), unlike],
    ]) {
      const found = findTemplate(templates, grid);
      expect([Math.round(found.column), Math.round(found.row)]).toEqual([12, 7]);
      expect(found.score).toBeCloseTo(1, 5);
    }
  });

  it('matches no plain surface, whose noise would match anything', () => {
    const template = templateAt(noise(30, 20), 3, 3, { columns: 9, rows: 8 });
    const plain: LumaGrid = { columns: 30, rows: 20, values: noise(30, 20).values.map((v) => 200 + v / 128) };
    expect(findTemplate([template], plain).score).toBe(0);
    expect(makeTemplate(plain)).toBeUndefined();
  });
});
