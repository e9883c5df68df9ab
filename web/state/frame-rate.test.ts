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
