import { expect, it } from 'vitest';
import { createFrameGaps } from './conversion-losses';

const missingIn = (timesMs: readonly number[]): number => {
  const gaps = createFrameGaps();
  for (const ms of timesMs) gaps.add(ms * 1000);
  return gaps.missing();
};
const every = (ms: number, count = 100): number[] => Array.from({ length: count }, (_, index) => index * ms);
const without = (times: readonly number[], ...left: readonly number[]): number[] =>
  times.filter((_, index) => !left.includes(index));

it('frames that are missing at a constant rate are counted, also several in a row', () => {
  expect(missingIn(every(40))).toBe(0);
  expect(missingIn(without(every(40), 10, 20, 21, 22))).toBe(4);
});

it('a rate that is rounded to milliseconds is constant', () => {
  const rounded = every(1000 / 30).map(Math.round);
  expect(missingIn(rounded)).toBe(0);
  expect(missingIn(without(rounded, 7))).toBe(1);
});

it('pauses of a video with a variable rate are no lost frames', () => {
  expect(missingIn([0, 40, 500, 540, 900, 1500, 1533])).toBe(0);
  expect(missingIn([])).toBe(0);
  expect(missingIn([5, 5, 5])).toBe(0);
  expect(missingIn(Array.from({ length: 5000 }, (_, index) => index * index))).toBe(0);
});
