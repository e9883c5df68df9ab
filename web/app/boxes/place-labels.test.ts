import { describe, expect, it } from 'vitest';
import type { ObjectClass } from '#shared/catalogue/classes';
import { placeLabels, type LabelledBox } from './place-labels';

const IMAGE = { width: 1000, height: 1000, pxPerScreenPx: 1 };
const TEXT = 'Face 87 %';

const object = (x1: number, y1: number, side = 40, objectClass: ObjectClass = 'face'): LabelledBox => ({
  ...{ objectClass, text: TEXT },
  box: { x1, y1, x2: x1 + side, y2: y1 + side },
});
/** Faces side by side, in rows. */
const crowd = (gap: number): readonly LabelledBox[] =>
  Array.from({ length: 100 }, (_, i) => object(200 + (i % 10) * gap, 200 + Math.floor(i / 10) * gap));

const places = (boxes: readonly LabelledBox[], pxPerScreenPx = 1) =>
  placeLabels(boxes, { ...IMAGE, pxPerScreenPx });

describe('a label', () => {
  it('stands above its box if nothing is there', () => {
    expect(places([object(100, 100), object(500, 500)])).toEqual([
      { place: 'above', isOnDemand: false },
      { place: 'above', isOnDemand: false },
    ]);
  });

  it('stands below its box if a face or the edge of the image is above', () => {
    expect(places([object(100, 55), object(100, 100)])[1]?.place).toBe('below');
    expect(places([object(100, 0)])[0]?.place).toBe('below');
  });

  it('may cover a person, but no license plate', () => {
    const face = object(100, 100);
    expect(places([face, object(50, 50, 300, 'person')])[0]?.place).toBe('above');
    expect(places([face, object(100, 60, 35, 'license-plate')])[0]?.place).not.toBe('above');
  });

  it('is visible at once only if it covers no other visible label', () => {
    const [first, second] = places([object(100, 100), object(130, 300), object(150, 300)]).slice(1);
    expect(first).toEqual({ place: 'above', isOnDemand: false });
    expect(second).toEqual({ place: 'below', isOnDemand: false });
  });

  it('of a box as high as the image is visible, although it is outside the image', () => {
    const whole = { ...object(0, 0, 1000, 'person') };
    expect(places([whole])[0]?.isOnDemand).toBe(false);
  });
});

/** A face in the middle of others. */
const SURROUNDED = [
  object(200, 200),
  ...[object(200, 155), object(260, 155), object(200, 245, 30), object(250, 200), object(150, 200)],
];

describe('a label without a free place', () => {
  it('appears on demand, where it covers as little of faces as possible', () => {
    expect(places(SURROUNDED)[0]).toEqual({ place: 'below', isOnDemand: true });
  });

  it('hides no labels of other boxes in an image that is no crowd', () => {
    const single = Array.from({ length: 9 }, (_, i) => object(100 * i, 900));
    const visible = places([...SURROUNDED, ...single]).map(({ isOnDemand }) => !isOnDemand);
    expect(visible[0]).toBe(false);
    expect(visible.slice(SURROUNDED.length)).toEqual(single.map(() => true));
  });
});

describe('in a crowd', () => {
  it('all labels appear on demand, those at the border too', () => {
    expect(places(crowd(45)).every(({ isOnDemand }) => isOnDemand)).toBe(true);
  });

  it('labels become visible when the image is enlarged', () => {
    const isOnDemand = (pxPerScreenPx: number): boolean =>
      places(crowd(60), pxPerScreenPx).some((label) => label.isOnDemand);
    expect(isOnDemand(1)).toBe(true);
    expect(isOnDemand(0.25)).toBe(false);
  });
});
