import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { seededRandom } from '../../testing/rasters';
import { boxArea, intersectionArea, iou } from '../../domain/boxes';
import { suppress } from './merge';

const LIMITS = { iou: 0.5, inside: 0.9 };
const at = (score: number, ...corners: Parameters<typeof boxOf>) => ({ score, box: boxOf(...corners) });

describe('non-maximum suppression', () => {
  it('keeps the best box of one object', () => {
    const best = at(0.9, 0, 0, 10, 10);
    expect(suppress([at(0.5, 1, 0, 11, 10), best, at(0.7, 0, 1, 10, 11)], LIMITS)).toEqual([best]);
  });

  it('keeps neighbours that overlap a little', () => {
    const pair = [at(0.9, 0, 0, 10, 10), at(0.8, 6, 0, 16, 10)];
    expect(suppress(pair, LIMITS)).toEqual(pair);
  });

  it('takes a part of a better box for a part of that object', () => {
    const whole = at(0.9, 0, 0, 20, 20);
    expect(suppress([whole, at(0.8, 2, 2, 8, 8)], LIMITS)).toEqual([whole]);
    expect(suppress([whole, at(0.8, 2, 2, 8, 8)], { ...LIMITS, inside: 1 })).toHaveLength(2);
  });

  it('keeps a box far smaller than a part: it is another object', () => {
    const both = [at(0.9, 0, 0, 20, 20), at(0.8, 2, 2, 8, 8)];
    expect(suppress(both, { ...LIMITS, minPart: 0.1 })).toEqual(both);
    expect(suppress(both, { ...LIMITS, minPart: 0.05 })).toHaveLength(1);
  });

  it('keeps the whole around a better part: the part hides too little, and may be another object', () => {
    const both = [at(0.9, 2, 2, 8, 8), at(0.8, 0, 0, 20, 20)];
    expect(suppress(both, LIMITS)).toEqual(both);
  });

  it('lists the best first', () => {
    const scattered = [0.3, 0.9, 0.6].map((score, i) => at(score, 30 * i, 0, 30 * i + 10, 10));
    expect(suppress(scattered, LIMITS).map(({ score }) => score)).toEqual([0.9, 0.6, 0.3]);
  });

  it('leaves no two boxes above the limits, and drops none without a better one over it', () => {
    const random = seededRandom(9);
    const crowd = Array.from({ length: 200 }, () => {
      const [x, y] = [random() * 80, random() * 80];
      return at(random(), x, y, x + 5 + random() * 20, y + 5 + random() * 20);
    });
    const kept = suppress(crowd, LIMITS);
    const hides = (better: (typeof crowd)[number], other: (typeof crowd)[number]): boolean =>
      iou(better.box, other.box) > LIMITS.iou ||
      intersectionArea(better.box, other.box) > LIMITS.inside * boxArea(other.box);
    kept.forEach((one, i) => expect(kept.slice(0, i).some((better) => hides(better, one))).toBe(false));
    for (const one of crowd.filter((candidate) => !kept.includes(candidate))) {
      expect(kept.some((better) => better.score >= one.score && hides(better, one))).toBe(true);
    }
  });

  it('keeps the given order between equals, and leaves its input alone', () => {
    const first = at(0.5, 0, 0, 10, 10);
    const equals = [first, at(0.5, 0, 0, 10, 9)];
    const before = [...equals];
    expect(suppress(equals, LIMITS)).toEqual([first]);
    expect(equals).toEqual(before);
  });
});
