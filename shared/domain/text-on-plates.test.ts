import { expect, it } from 'vitest';
import { boxOf, found } from '../testing/plans';
import { withoutTextOnPlates } from './text-on-plates';

const PLATE = found('license-plate', boxOf(100, 100, 200, 130));
const ON_PLATE = found('text', boxOf(95, 102, 190, 128));
const SIGN = found('text', boxOf(150, 60, 260, 110));

it('text on a hidden plate is dropped, and other text stays', () => {
  expect(withoutTextOnPlates([PLATE, ON_PLATE, SIGN], () => true)).toEqual([PLATE, SIGN]);
});

it('text on a plate that is not hidden stays', () => {
  expect(withoutTextOnPlates([PLATE, ON_PLATE], () => false)).toEqual([PLATE, ON_PLATE]);
});

it('a large text around a plate stays', () => {
  const around = found('text', boxOf(60, 80, 400, 160));
  expect(withoutTextOnPlates([PLATE, around], () => true)).toEqual([PLATE, around]);
});
