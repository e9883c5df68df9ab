import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assign, FORBIDDEN } from './track-association';

/** Most pairs, then least cost, by trying everything. */
const best = (
  costs: readonly (readonly number[])[],
  row = 0,
  taken: readonly number[] = [],
): [number, number] => {
  if (row === costs.length) return [0, 0];
  let winner = best(costs, row + 1, taken);
  costs[row]!.forEach((cost, column) => {
    if (cost === FORBIDDEN || taken.includes(column)) return;
    const [pairs, total] = best(costs, row + 1, [...taken, column]);
    const mine: [number, number] = [pairs + 1, total + cost];
    if (mine[0] > winner[0] || (mine[0] === winner[0] && mine[1] < winner[1])) winner = mine;
  });
  return winner;
};

describe('assignment', () => {
  it('prefers the minimum total to the nearest pair', () => {
    expect(
      assign([
        [1, 2],
        [2, 9],
      ]),
    ).toEqual([1, 0]);
  });

  it('makes no forbidden pair', () => {
    expect(assign([[FORBIDDEN], [3]])).toEqual([-1, 0]);
    expect(assign([[FORBIDDEN, FORBIDDEN]])).toEqual([-1]);
  });

  it('returns nothing for no rows or columns', () => {
    expect(assign([])).toEqual([]);
    expect(assign([[], []])).toEqual([-1, -1]);
  });

  it('has the same cost as the best of all assignments', () => {
    const cost = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(FORBIDDEN));
    const costs = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
      .chain(([rows, columns]) =>
        fc.array(fc.array(cost, { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      );
    fc.assert(
      fc.property(costs, (table) => {
        const columns = assign(table);
        const made = columns.flatMap((column, row) => (column < 0 ? [] : [table[row]![column]!]));
        expect([made.length, made.reduce((sum, one) => sum + one, 0)]).toEqual(best(table));
        const used = columns.filter((column) => column >= 0);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });
});
