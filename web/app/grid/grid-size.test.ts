import { expect, it } from 'vitest';
import { gridWindow } from './grid-size';

it.each([
  ['a few pictures are all rendered', [900, 600, 0, 7], { columns: 5, rows: 2, cards: { first: 0, end: 7 } }],
  [
    'of hundreds, what is seen and a little beyond',
    [900, 600, 0, 500],
    { columns: 5, rows: 2, cards: { first: 0, end: 25 } },
  ],
  [
    'what was scrolled past goes',
    [900, 600, 4480, 500],
    { columns: 5, rows: 2, cards: { first: 90, end: 125 } },
  ],
  ['a narrow screen has one column', [120, 600, 0, 3], { columns: 1, rows: 2, cards: { first: 0, end: 3 } }],
  ['nothing is nothing', [0, 0, 0, 0], { columns: 1, rows: 1, cards: { first: 0, end: 0 } }],
] as const)('%s', (_, [width, height, scrolled, count], expected) => {
  expect(gridWindow(width, height, scrolled, count)).toEqual(expected);
});
