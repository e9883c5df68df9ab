import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../testing/rasters';
import { collectRuns, encodeRuns, forEachRun } from './runs';

const decode = (runs: readonly number[], length: number): Uint8Array => {
  const mask = new Uint8Array(length);
  forEachRun(runs, (start, end) => mask.fill(1, start, end));
  return mask;
};

describe('run lengths', () => {
  it('begin with uncovered pixels', () => {
    expect(encodeRuns(Uint8Array.of(0, 0, 1, 1, 1, 0))).toEqual([2, 3, 1]);
    expect(encodeRuns(Uint8Array.of(1, 1, 0))).toEqual([0, 2, 1]);
    expect(encodeRuns(Uint8Array.of(0, 0))).toEqual([2]);
  });

  it('decode to the mask that they encode', () => {
    const random = seededRandom(1);
    for (let trial = 0; trial < 50; trial++) {
      const density = random();
      const mask = Uint8Array.from({ length: Math.floor(random() * 200) }, () =>
        random() < density ? 1 : 0,
      );
      const runs = encodeRuns(mask);
      expect(decode(runs, mask.length)).toEqual(mask);
      expect(runs.reduce((sum, length) => sum + length, 0)).toBe(mask.length);
      expect(runs.slice(1, -1).every((length) => length > 0)).toBe(true);
    }
  });

  it('are the same if the covered runs are collected in pieces', () => {
    const random = seededRandom(2);
    for (let trial = 0; trial < 50; trial++) {
      const mask = new Uint8Array(Math.floor(random() * 200));
      const { cover, finish } = collectRuns();
      for (let at = Math.floor(random() * 3); at < mask.length;) {
        const end = Math.min(mask.length, at + 1 + Math.floor(random() * 9));
        mask.fill(1, at, end);
        cover(at, end);
        at = end + Math.floor(random() * 3);
      }
      expect(finish(mask.length)).toEqual(encodeRuns(mask));
    }
  });
});
