import { describe, expect, it } from 'vitest';
import { scoreHistogram } from './histogram';

const box = { x1: 0, y1: 0, x2: 9, y2: 9 };
const face = (score: number) => ({ id: 0, detection: { objectClass: 'face', score, box } as const });
const counts = (...scores: readonly number[]): readonly number[] =>
  scoreHistogram(scores.map(face), 'face', 0.25).map(({ count }) => count);

describe('the histogram of scores', () => {
  it('has a bar for each step of the slider, up to the highest step', () => {
    const bars = scoreHistogram([], 'face', 0.25);
    expect(bars).toHaveLength(15);
    expect(bars[0]?.from).toBe(0.25);
    expect(bars.at(-1)!.from).toBeCloseTo(0.95);
  });

  it('counts a score in the bar that begins with it', () => {
    for (const [score, bar] of [
      [0.25, 0],
      [0.3, 1],
      [0.35, 2],
      [0.6, 7],
      [0.9499, 13],
      [0.95, 14],
    ] as const) {
      expect(counts(score).indexOf(1), String(score)).toBe(bar);
    }
  });

  it('counts a score of 1 in the last bar, and ignores scores below the first bar', () => {
    expect(counts(1).at(-1)).toBe(1);
    expect(counts(0.2).every((count) => count === 0)).toBe(true);
  });

  it('ignores other classes', () => {
    expect(scoreHistogram([face(0.9)], 'vehicle', 0.25).every(({ count }) => count === 0)).toBe(true);
  });
});
