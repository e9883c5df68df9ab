import { describe, expect, it } from 'vitest';
import type { Box } from '#shared/pipeline/boxes';
import type { LabelledPicture } from '../../../models/eval/labelled-picture';
import { scoreFaces, withoutMostCrowded } from './score-faces';

const square = (x: number, side = 10): Box => ({ x1: x, y1: 0, x2: x + side, y2: side });
const face = (box: Box): LabelledPicture['truth'][number] => ({ objectClass: 'face', box });
const photo = (truth: readonly Box[], unsure: readonly Box[] = []): LabelledPicture => ({
  path: 'photo.jpg',
  truth: truth.map(face),
  uncounted: unsure.map(face),
});
const found = (...boxes: readonly Box[]) => boxes.map((box) => ({ score: 0.9, box }));

describe('the score of a program', () => {
  it('has an IoU for recall and another for precision', () => {
    // IoU 1/3.
    const [photos, faces] = [[photo([square(0)])], [found(square(5))]];
    expect(scoreFaces(photos, faces, { recallIou: 0.5, precisionIou: 0.3 })).toMatchObject({
      recall: 0,
      precision: 1,
    });
  });

  it('counts a box on a doubtful face neither as found nor as false', () => {
    const photos = [photo([square(0)], [square(100)])];
    const faces = [found(square(0), square(100))];
    expect(scoreFaces(photos, faces, { recallIou: 0.5, precisionIou: 0.3 })).toMatchObject({
      faces: 1,
      recall: 1,
      precision: 1,
    });
  });

  it('can leave out the photos of most faces', () => {
    const photos = [1, 9, 2, 7, 3].map((faces) => photo(Array.from({ length: faces }, () => square(0))));
    expect(withoutMostCrowded(photos, 2)).toEqual([0, 2, 4]);
  });
});
