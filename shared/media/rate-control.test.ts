import { describe, expect, it } from 'vitest';
import { createRateControl, type Budget } from './rate-control';

const FRAME_SECONDS = 0.04;

/** @param frames bytes of each frame of the source */
const budgetOf = (frames: readonly number[]): Budget => ({
  frameCount: frames.length,
  frameSeconds: FRAME_SECONDS,
  endSeconds: (frames.length - 1) * FRAME_SECONDS,
  totalBytes: frames.reduce((sum, bytes) => sum + bytes, 0),
  bytesUntil: () => (seconds) =>
    frames.reduce((sum, bytes, index) => (index * FRAME_SECONDS < seconds ? sum + bytes : sum), 0),
});

/** @param excess ratio of encoded to requested bytes, for each frame. @returns bytes of each frame */
const encode = (budget: Budget, excess: (frame: number) => number): number[] => {
  const control = createRateControl(budget);
  let bitRate = 0;
  return Array.from({ length: budget.frameCount }, (_, index) => {
    const seconds = index * FRAME_SECONDS;
    if (control.beginsPart(seconds)) bitRate = control.nextPart(seconds);
    const bytes = (bitRate / 8) * FRAME_SECONDS * excess(index);
    control.encoded(bytes);
    return bytes;
  });
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const steady = Array.from({ length: 500 }, () => 4000);

describe('rate control', () => {
  it.each([
    ['as many bits as requested', () => 1],
    ['always more', () => 1.3],
    ['always fewer', () => 0.7],
    ['more in the first frames', (frame: number) => (frame < 50 ? 1.6 : 1)],
  ])("reaches the source's size with an encoder that writes %s", (_name, excess) => {
    const budget = budgetOf(steady);
    expect(Math.abs(sum(encode(budget, excess)) / budget.totalBytes - 1)).toBeLessThan(0.05);
  });

  it('spends more bits where the source has more', () => {
    const budget = budgetOf([...steady.slice(0, 250), ...steady.slice(0, 250).map((bytes) => bytes / 4)]);
    const encoded = encode(budget, () => 1);
    expect(sum(encoded.slice(0, 200)) / sum(encoded.slice(300))).toBeGreaterThan(3);
  });

  it('corrects an excess gradually, between half and twice the bits of the source', () => {
    const encoded = encode(budgetOf(steady), (frame) => (frame < 50 ? 3 : 1));
    for (const bytes of encoded.slice(50)) {
      expect(bytes).toBeGreaterThanOrEqual(1999);
      expect(bytes).toBeLessThanOrEqual(8001);
    }
  });

  it('plans the bits of a video of a single frame', () => {
    expect(encode(budgetOf([9000]), () => 1)[0]).toBeCloseTo(9000, -1);
  });
});
