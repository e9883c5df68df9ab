import { expect, it } from 'vitest';
import { joinMuted } from './edits';

it('parts without sound are sorted, and joined where they touch or overlap', () => {
  expect(
    joinMuted([
      [5, 6],
      [1, 4],
      [2, 3],
      [6, 7.5],
      [9, 10],
    ]),
  ).toEqual([
    [1, 4],
    [5, 7.5],
    [9, 10],
  ]);
  expect(joinMuted([])).toEqual([]);
});
