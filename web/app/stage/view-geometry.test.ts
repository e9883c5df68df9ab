import { describe, expect, it } from 'vitest';
import { pan, place, placeContained, WHOLE, zoomAt } from './view-geometry';

const STAGE = { width: 800, height: 600 };
const WIDE = { width: 4000, height: 2000 };

describe('the view of an image', () => {
  it('shows the whole image in the centre of the stage', () => {
    expect(place(STAGE, WIDE, WHOLE)).toEqual({ left: 0, top: 100, width: 800, height: 400 });
  });

  it('enlarges a small image at most twice', () => {
    expect(place(STAGE, { width: 100, height: 100 }, WHOLE)).toMatchObject({ width: 200, height: 200 });
  });

  it('keeps the point under the pointer in place while zooming', () => {
    const at = { x: 120, y: -80 };
    const pixelAt = (view: typeof WHOLE): number => {
      const { left, width } = place(STAGE, WIDE, view);
      return ((STAGE.width / 2 + at.x - left) / width) * WIDE.width;
    };
    expect(pixelAt(zoomAt(STAGE, WIDE, WHOLE, { factor: 3, at }))).toBeCloseTo(pixelAt(WHOLE));
  });

  it('never shrinks an image below its fitted size, and never enlarges a pixel beyond eight screen px', () => {
    expect(zoomAt(STAGE, WIDE, WHOLE, { factor: 0.1, at: { x: 0, y: 0 } })).toEqual(WHOLE);
    const max = zoomAt(STAGE, WIDE, WHOLE, { factor: 1000, at: { x: 0, y: 0 } });
    expect(place(STAGE, WIDE, max).width).toBe(WIDE.width * 8);
  });

  it('does not let an edge of an enlarged image move into the stage', () => {
    const near = zoomAt(STAGE, WIDE, WHOLE, { factor: 4, at: { x: 0, y: 0 } });
    expect(place(STAGE, WIDE, pan(STAGE, WIDE, near, { x: 99_999, y: 99_999 }))).toMatchObject({
      left: 0,
      top: 0,
    });
    expect(pan(STAGE, WIDE, WHOLE, { x: 50, y: 50 })).toEqual(WHOLE);
  });
});

it('a video is placed where the browser fits it into the stage, however much it is enlarged', () => {
  expect(placeContained({ width: 400, height: 400 }, { width: 100, height: 60 })).toEqual({
    left: 0,
    top: 80,
    width: 400,
    height: 240,
  });
});
