import { describe, expect, it } from 'vitest';
import { boxOf } from '#shared/testing/plans';
import { toCoco, type CocoPart } from './coco';
import { matchImage } from './score';

const partOf = (objectClass: CocoPart['objectClass'], file: string, set = 'plates'): CocoPart => {
  const truth = [{ objectClass, box: boxOf(10, 20, 50, 30) }];
  const image = { path: `/photos/${file}`, truth, uncounted: [{ objectClass, box: boxOf(0, 0, 5, 5) }] };
  const detections = [{ score: 0.75, box: boxOf(11.5, 20, 50, 30) }];
  const outcome = matchImage(
    detections,
    truth.map(({ box }) => box),
    [],
  );
  return {
    set,
    objectClass,
    outcomes: [{ ...outcome, image, detections, pixels: undefined, overBlur: undefined }],
  };
};

describe('an evaluation in COCO’s format', () => {
  const { truth, results } = toCoco([partOf('license-plate', 'a.jpg'), partOf('license-plate', 'b.jpg')]);

  it('has boxes as x, y, width and height, with the score of the detection', () => {
    expect(results[0]).toEqual({ image_id: 1, category_id: 2, bbox: [11.5, 20, 38.5, 10], score: 0.75 });
  });

  it('has the labels of the same photos under the same ids', () => {
    expect(truth.images).toEqual([
      { id: 1, file_name: 'a.jpg' },
      { id: 2, file_name: 'b.jpg' },
    ]);
    expect(truth.categories).toEqual([{ id: 2, name: 'license-plate' }]);
    expect(truth.annotations.map(({ image_id }) => image_id)).toEqual([1, 1, 2, 2]);
    expect(truth.annotations[0]).toMatchObject({ category_id: 2, bbox: [10, 20, 40, 10], area: 400 });
  });

  it('numbers annotations from 1, because pycocotools takes 0 for no match', () => {
    expect(truth.annotations.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('marks areas that are not counted as crowds', () => {
    expect(truth.annotations.map(({ iscrowd }) => iscrowd)).toEqual([0, 1, 0, 1]);
  });

  it('has one image for all classes of a set, and one for each set', () => {
    const both = toCoco([partOf('person', 'a.jpg', 'coco128'), partOf('vehicle', 'a.jpg', 'coco128')]);
    expect(both.truth.images).toHaveLength(1);
    expect(both.truth.categories.map(({ name }) => name)).toEqual(['person', 'vehicle']);
    const sets = toCoco([partOf('face', 'a.jpg', 'faces'), partOf('face', 'a.jpg', 'crowds')]);
    expect(sets.results.map(({ image_id }) => image_id)).toEqual([1, 2]);
  });
});
