import { expect, it } from 'vitest';
import { bleepAt } from './bleep';

const RATE = 48_000;
const toneOf = (duration: number): number[] =>
  Array.from({ length: Math.ceil(duration * RATE) }, (_, i) => bleepAt(i / RATE, duration));

it('a bleep is a sine of 1 kHz whose peaks have a tenth of the largest level', () => {
  const tone = toneOf(0.1);
  expect(Math.max(...tone)).toBeCloseTo(0.1, 6);
  const middle = tone.slice(0.01 * RATE, 0.09 * RATE);
  const crossings = middle.filter((level, i) => i > 0 && level > 0 !== middle[i - 1]! > 0).length;
  expect(Math.abs(crossings - 160)).toBeLessThanOrEqual(1);
});

it('a bleep is silent outside of its part, and begins and ends without a step, however short it is', () => {
  expect([bleepAt(-0.01, 0.1), bleepAt(0.1, 0.1), bleepAt(0.2, 0.1)]).toEqual([0, 0, 0]);
  for (const duration of [0.001, 0.004, 0.05]) {
    const tone = toneOf(duration);
    expect(Math.abs(tone[1]!) + Math.abs(tone.at(-1)!)).toBeLessThan(0.01);
  }
});
