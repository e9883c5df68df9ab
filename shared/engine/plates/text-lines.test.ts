import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { seededRandom } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import { joinWords, uniteCandidates } from './text-lines';

const at = (box: Box, score = 0.8) => ({ box, score });
const lines = (...words: readonly Box[]): Box[] =>
  joinWords(words.map((box) => at(box))).map(({ box }) => box);
const plates = (...candidates: readonly ReturnType<typeof at>[]): Box[] =>
  uniteCandidates(candidates).map(({ box }) => box);

describe('joining words', () => {
  it('makes one line of a plate’s groups, in any order', () => {
    const groups = [boxOf(100, 50, 130, 70), boxOf(135, 51, 160, 71), boxOf(166, 50, 210, 70)];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      expect(lines(...order.map((i) => groups[i]!))).toEqual([boxOf(100, 50, 210, 71)]);
    }
  });

  it('returns only joined lines', () => {
    expect(lines(boxOf(0, 0, 40, 20))).toEqual([]);
    expect(lines()).toEqual([]);
  });

  it('leaves words apart that are far apart, on other lines or of another size', () => {
    const word = boxOf(100, 50, 140, 70);
    expect(lines(word, boxOf(165, 50, 200, 70))).toEqual([]);
    expect(lines(word, boxOf(145, 64, 180, 84))).toEqual([]);
    expect(lines(word, boxOf(145, 40, 220, 80))).toEqual([]);
  });

  it('scores a line between its words', () => {
    const [line] = joinWords([at(boxOf(0, 0, 40, 20), 0.9), at(boxOf(45, 0, 85, 20), 0.7)]);
    expect(line!.score).toBeGreaterThanOrEqual(0.7);
    expect(line!.score).toBeLessThanOrEqual(0.9);
  });
});

describe('uniting candidates of one plate', () => {
  it('hides the union of its halves, scored as the better one', () => {
    const half = at(boxOf(0, 0, 60, 20), 0.9);
    const whole = at(boxOf(5, -2, 80, 21), 0.6);
    expect(uniteCandidates([whole, half])).toEqual([{ box: boxOf(0, -2, 80, 21), score: 0.9 }]);
  });

  it('leaves neighbours apart', () => {
    const pair = [at(boxOf(0, 0, 60, 20), 0.9), at(boxOf(58, 0, 120, 20), 0.8)];
    expect(plates(...pair)).toEqual(pair.map(({ box }) => box));
  });

  it('does not unite candidates whose union is far larger than each', () => {
    expect(plates(at(boxOf(0, 0, 60, 20), 0.9), at(boxOf(10, 8, 70, 28), 0.7))).toHaveLength(2);
  });

  it('unites a part with the whole around it', () => {
    expect(plates(at(boxOf(40, 40, 80, 55), 0.9), at(boxOf(30, 35, 100, 60), 0.7))).toEqual([
      boxOf(30, 35, 100, 60),
    ]);
  });

  it('covers every candidate completely', () => {
    const random = seededRandom(4);
    const crowd = Array.from({ length: 60 }, () => {
      const [x, y] = [random() * 200, random() * 60];
      return at(boxOf(x, y, x + 20 + random() * 50, y + 8 + random() * 10), random());
    });
    const united = plates(...crowd);
    for (const { box } of crowd) {
      const isInside = (plate: Box): boolean =>
        plate.x1 <= box.x1 && plate.y1 <= box.y1 && plate.x2 >= box.x2 && plate.y2 >= box.y2;
      expect(united.some(isInside)).toBe(true);
    }
  });
});
