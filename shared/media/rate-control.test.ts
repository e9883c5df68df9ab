import { describe, expect, it } from 'vitest';
import { createRateControl, type Budget } from './rate-control';

const FRAME_SECONDS = 0.04;

/** A source that has so many bytes in each of its frames. */
const budgetOf = (frames: readonly number[]): Budget => ({
  frameCount: frames.length,
  frameSeconds: FRAME_SECONDS,
  endSeconds: (frames.length - 1) * FRAME_SECONDS,
  totalBytes: frames.reduce((sum, bytes) => sum + bytes, 0),
  bytesUntil: () => (seconds) =>
    frames.reduce((sum, bytes, index) => (index * FRAME_SECONDS < seconds ? sum + bytes : sum), 0),
});

/** Encodes with an encoder that gives more or less than it is asked for. @returns bytes of each frame */
const encode = (budget: Budget, gives: (frame: number) => number): number[] => {
  const control = createRateControl(budget);
  let bitRate = 0;
  return Array.from({ length: budget.frameCount }, (_, index) => {
    const seconds = index * FRAME_SECONDS;
    if (control.beginsPart(seconds)) bitRate = control.nextPart(seconds);
    const bytes = (bitRate / 8) * FRAME_SECONDS * gives(index);
    control.encoded(bytes);
    return bytes;
  });
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const steady = Array.from({ length: 500 }, () => 4000);

describe('the bits of a video', () => {
  it.each([
    ['as asked', () => 1],
    ['always more', () => 1.3],
    ['always less', () => 0.7],
    ['more at first', (frame: number) => (frame < 50 ? 1.6 : 1)],
  ])('are those of its source with an encoder that gives %s', (_habit, gives) => {
    const budget = budgetOf(steady);
    expect(Math.abs(sum(encode(budget, gives)) / budget.totalBytes - 1)).toBeLessThan(0.05);
  });

  it('go where the source has them', () => {
    const budget = budgetOf([...steady.slice(0, 250), ...steady.slice(0, 250).map((bytes) => bytes / 4)]);
    const encoded = encode(budget, () => 1);
    expect(sum(encoded.slice(0, 200)) / sum(encoded.slice(300))).toBeGreaterThan(3);
  });

  it('never change so much at once that it could be seen', () => {
    const encoded = encode(budgetOf(steady), (frame) => (frame < 50 ? 3 : 1));
    for (const bytes of encoded.slice(50)) {
      expect(bytes).toBeGreaterThanOrEqual(1999);
      expect(bytes).toBeLessThanOrEqual(8001);
    }
  });

  it('are asked for even where there is one frame', () => {
    expect(encode(budgetOf([9000]), () => 1)[0]).toBeCloseTo(9000, -1);
  });
});
