import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/domain/boxes';
import { matchImage, measure } from './score';

const square = (x: number, side = 10): Box => ({ x1: x, y1: 0, x2: x + side, y2: side });

describe('the evaluation', () => {
  it('counts two detections of one object as one correct and one wrong detection', () => {
    const outcome = matchImage(
      [
        { score: 0.6, box: square(1) },
        { score: 0.9, box: square(0) },
      ],
      [square(0)],
      [],
    );
    expect(outcome.found).toEqual([
      { score: 0.9, isRight: true, isNear: true, isStray: false },
      { score: 0.6, isRight: false, isNear: false, isStray: false },
    ]);
  });

  it('counts a box with an IoU below 0.5 as wrong, and the object as missed', () => {
    const outcome = matchImage([{ score: 0.9, box: square(5) }], [square(0)], []);
    expect(measure([outcome], 0)).toMatchObject({ recall: 0, precision: 0, falsePerImage: 1 });
  });

  it('counts a box with an IoU of 0.3 to 0.5 as near, unless another box matches the object', () => {
    const outcome = matchImage(
      [
        { score: 0.9, box: square(5) },
        { score: 0.8, box: square(4) },
      ],
      [square(0)],
      [],
    );
    expect(measure([outcome], 0)).toMatchObject({ recall: 0, precision: 0, nearPrecision: 0.5 });
  });

  it('ignores detections in a crowd without individual labels', () => {
    const outcome = matchImage([{ score: 0.9, box: square(5) }], [], [square(0, 100)]);
    expect(outcome.found).toEqual([]);
  });

  it('counts an object as covered, but not as found, if the box is much too large', () => {
    const outcome = matchImage([{ score: 0.9, box: square(-20, 60) }], [square(0)], []);
    expect(measure([outcome], 0.5)).toMatchObject({ recall: 0, covered: 1 });
  });

  it('drops detections below the threshold', () => {
    const found = [
      { score: 0.9, box: square(0) },
      { score: 0.3, box: square(100) },
    ];
    const outcome = matchImage(found, [square(0), square(100)], []);
    expect(measure([outcome], 0.5)).toMatchObject({ truths: 2, recall: 0.5, precision: 1, covered: 0.5 });
    expect(measure([outcome], 0.2)).toMatchObject({ recall: 1, precision: 1, covered: 1 });
  });
});
