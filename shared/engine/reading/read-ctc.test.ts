import { expect, it } from 'vitest';
import { readCtc, variantsOf } from './read-ctc';

const column = (best: number, score: number, second = 0) =>
  [0, 0, 0, 0].map((_, i) => (i === best ? score : i === second ? 1 - score : 0));

it('repeated classes are one character unless a blank parts them, and the least certain character counts', () => {
  const scores = [
    column(1, 0.7),
    column(1, 0.9),
    column(0, 1),
    column(1, 0.6),
    column(3, 0.9),
    column(2, 0.7),
  ];
  const line = readCtc(Float32Array.from(scores.flat()), ['a', 'b']);
  expect(line.text).toBe('aa b');
  expect(line.characters[0]?.score).toBeCloseTo(0.9);
  expect(line.min).toBeCloseTo(0.6);
  expect(line.mean).toBeCloseTo((0.9 + 0.6 + 0.9 + 0.7) / 4);
  expect(readCtc(Float32Array.from(column(0, 1)), ['a', 'b'])).toMatchObject({ text: '', min: 0, mean: 0 });
});

it('a doubtful character is also what is likeliest after it', () => {
  const scores = [column(1, 0.6, 2), column(0, 1), column(2, 0.9), column(0, 1), column(2, 0.7, 0)];
  expect(variantsOf(readCtc(Float32Array.from(scores.flat()), ['a', 'b']))).toEqual([
    'abb',
    'bbb',
    'ab',
    'bb',
  ]);
});
