import { expect, it } from 'vitest';
import { joinMuted, mutedRangeOf } from './edits';

it('muted parts are sorted, and those of a kind are joined where they touch or overlap', () => {
  expect(
    joinMuted([
      { start: 5, end: 6 },
      { start: 1, end: 4 },
      { start: 2, end: 3 },
      { start: 6, end: 7.5 },
      { start: 7.5, end: 8, as: 'bleep' },
      { start: 9, end: 10, reason: 'b6' },
    ]).map(mutedRangeOf),
  ).toEqual([[1, 4], [5, 7.5], { start: 7.5, end: 8, as: 'bleep' }, { start: 9, end: 10, reason: 'b6' }]);
  expect(joinMuted([])).toEqual([]);
});
