import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/domain/boxes';
import type { LabelledImage } from '../../../models/eval/labelled-image';
import { scoreFaces } from './score-faces';

const square = (x: number, side = 10): Box => ({ x1: x, y1: 0, x2: x + side, y2: side });
const face = (box: Box): LabelledImage['truth'][number] => ({ objectClass: 'face', box });
const photo = (truth: readonly Box[], unsure: readonly Box[] = []): LabelledImage => ({
  path: 'photo.jpg',
  truth: truth.map(face),
  uncounted: unsure.map(face),
});
const found = (...boxes: readonly Box[]) =>
  new Map([['photo.jpg', boxes.map((box) => ({ score: 0.9, box }))]]);

describe('the score of a program', () => {
  it('does not count a box that fits a face badly as a false face', () => {
    // IoU 1/3.
    expect(scoreFaces([photo([square(0)])], found(square(5)))).toMatchObject({
      recall: 0,
      precision: 1,
      falseFaces: 0,
    });
  });

  it('ignores a box on a doubtful face', () => {
    expect(scoreFaces([photo([square(0)], [square(100)])], found(square(0), square(100)))).toMatchObject({
      faces: 1,
      recall: 1,
      precision: 1,
      falseFaces: 0,
    });
  });

  it('counts every box in a photo without faces as a false face', () => {
    expect(scoreFaces([photo([])], found(square(0), square(100)))).toMatchObject({
      faces: 0,
      recall: Number.NaN,
      falseFaces: 2,
    });
  });
});
