import { expect, test } from 'vitest';
import { OBJECT_CLASSES } from '../../catalogue/classes';
import { readUpload } from '../http/query';
import { optionsWithAreas } from './options-with-areas';

const optionsOf = (query: string) =>
  optionsWithAreas(readUpload(`/?${query}`), { classes: OBJECT_CLASSES, format: { kind: 'whole' } });

const BOX = { topLeftX: 1, topLeftY: 2, width: 3, height: 4 };
const withHides = (...areas: readonly object[]) =>
  optionsOf(`hides=${encodeURIComponent(JSON.stringify(areas))}`).hides;

test('hides are kept as they were sent, and absent where there are none', () => {
  const share = { ...{ topLeftX: 0, topLeftY: 0.5, width: 1, height: 0.5 }, unit: 'fraction' };
  const polygon = {
    points: [
      [0, 0.5],
      [9, 0],
      [0, 9],
    ],
    start: 1.5,
    end: 2,
    method: 'blacken',
  };
  expect(withHides(BOX, share, polygon)).toEqual([BOX, share, polygon]);
  expect(withHides()).toBeUndefined();
  expect(optionsOf('')).not.toHaveProperty('hides');
});

test.each([
  ['an empty box', { ...BOX, width: 0 }, 'an area with a width and a height above 0'],
  ['px that are not whole', { ...BOX, width: 0.5 }, 'an area with whole numbers of pixels'],
  ['shares beyond 1', { ...BOX, unit: 'fraction' }, 'an area with shares from 0 to 1'],
  [
    'a box and a polygon',
    {
      ...BOX,
      points: [
        [0, 0],
        [9, 0],
        [0, 9],
      ],
    },
    'an area with either',
  ],
  ['a box without a width', { topLeftX: 1, topLeftY: 2, height: 4 }, 'an area with either'],
  ['neither', { start: 1 }, 'an area with either'],
  ['a start at its end', { ...BOX, start: 2, end: 2 }, 'an area whose `start` is before its `end`'],
  [
    'a polygon whose sides cross',
    {
      points: [
        [0, 0],
        [9, 9],
        [9, 0],
        [0, 9],
      ],
    },
    'a polygon whose sides do not cross',
  ],
])('%s is refused by its number', (_, area, allowed) => {
  expect(() => withHides(BOX, area)).toThrow(`\`hides[1]\` must be ${allowed}`);
});

test('fields that areas do not have, and polygons of two corners, are refused', () => {
  for (const area of [
    { ...BOX, strat: 1 },
    {
      points: [
        [0, 0],
        [1, 1],
      ],
    },
    { ...BOX, method: 'detect' },
  ]) {
    expect(() => withHides(area)).toThrow(/^`hides` must be a JSON array of areas such as/);
  }
});

test.each(['ignores', 'hides'])('more than 1000 areas of %s are refused by their number', (name) => {
  const text = encodeURIComponent(JSON.stringify(Array(1001).fill({ ...BOX })));
  expect(() => optionsOf(`${name}=${text}`)).toThrow(`\`${name}\` must be at most 1000 areas, not "1001".`);
});
