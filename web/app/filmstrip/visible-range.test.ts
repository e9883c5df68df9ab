import { expect, it } from 'vitest';
import { visibleRange } from './visible-range';

it.each([
  ['a short row is whole', 0, 1000, 5, 0, 5],
  ['a long row has no more than is seen, and a little beyond', 0, 800, 500, 0, 22],
  ['what was scrolled past goes', 8000, 800, 500, 88, 122],
  ['the end is the end', 39_200, 800, 500, 478, 500],
  ['a row that became shorter than it is scrolled is not lost', 39_200, 800, 3, 3, 3],
  ['nothing is nothing', 0, 0, 0, 0, 0],
])('%s', (_, scrolled, width, count, first, end) => {
  expect(visibleRange(scrolled, width, count)).toEqual({ first, end });
});
