import { expect, it } from 'vitest';
import { createFrameRate } from './frame-rate';

it('the frame rate is measured over the last seconds and gives the remaining time', () => {
  const measure = createFrameRate();
  measure(1, 101, 10_000);
  expect(measure(11, 101, 15_000)).toEqual({
    done: 11,
    total: 101,
    perSecond: 2,
    secondsLeft: 45,
    converted: null,
  });
});

it('the time before the first frame is not counted', () => {
  const measure = createFrameRate();
  for (let nowMs = 0; nowMs < 60_000; nowMs += 1_000) measure(0, 100, nowMs);
  measure(1, 100, 60_000);
  expect(measure(9, 100, 62_000).perSecond).toBe(4);
});

it('the frame rate follows a change of speed', () => {
  const measure = createFrameRate();
  for (let second = 0; second <= 60; second++) measure(1 + second * 10, null, second * 1_000);
  for (let second = 61; second <= 90; second++) measure(601 + (second - 60), null, second * 1_000);
  expect(measure(632, null, 91_000).perSecond).toBeCloseTo(1, 1);
});

it('the remaining time of a conversion is measured from its first share on', () => {
  const measure = createFrameRate();
  const left = (converted: number, second: number) => measure(0, null, second * 1_000, converted).secondsLeft;
  expect([left(0, 0), left(0, 30), left(0.1, 31), left(0.1, 40)]).toEqual([null, null, null, null]);
  expect(left(0.2, 51)).toBeCloseTo(160);
  expect(left(0.6, 81)).toBeCloseTo(40);
  expect(measure(1, 100, 90_000, 1)).toMatchObject({ converted: null, secondsLeft: null });
});

it('the frame rate is null until there are enough frames', () => {
  const measure = createFrameRate();
  expect(measure(0, null, 0)).toEqual({
    done: 0,
    total: null,
    perSecond: null,
    secondsLeft: null,
    converted: null,
  });
  expect(measure(5, 10, 100).perSecond).toBeNull();
});
