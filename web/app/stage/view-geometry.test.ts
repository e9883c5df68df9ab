import { describe, expect, it } from 'vitest';
import { pan, place, WHOLE, zoomAt } from './view-geometry';

const STAGE = { width: 800, height: 600 };
const WIDE = { width: 4000, height: 2000 };

describe('the view of a picture', () => {
  it('shows the whole picture in the middle of the stage', () => {
    expect(place(STAGE, WIDE, WHOLE)).toEqual({ left: 0, top: 100, width: 800, height: 400 });
  });

  it('enlarges a small picture at most twice', () => {
    expect(place(STAGE, { width: 100, height: 100 }, WHOLE)).toMatchObject({ width: 200, height: 200 });
  });

  it('keeps what lies under the pointer there while zooming', () => {
    const at = { x: 120, y: -80 };
    const pixelAt = (view: typeof WHOLE): number => {
      const { left, width } = place(STAGE, WIDE, view);
      return ((STAGE.width / 2 + at.x - left) / width) * WIDE.width;
    };
    expect(pixelAt(zoomAt(STAGE, WIDE, WHOLE, 3, at))).toBeCloseTo(pixelAt(WHOLE));
  });

  it('never shrinks a picture below the whole, nor enlarges a pixel beyond eight', () => {
    expect(zoomAt(STAGE, WIDE, WHOLE, 0.1, { x: 0, y: 0 })).toEqual(WHOLE);
    const max = zoomAt(STAGE, WIDE, WHOLE, 1000, { x: 0, y: 0 });
    expect(place(STAGE, WIDE, max).width).toBe(WIDE.width * 8);
  });

  it('does not let the edge of an enlarged picture be pulled into the stage', () => {
    const near = zoomAt(STAGE, WIDE, WHOLE, 4, { x: 0, y: 0 });
    expect(place(STAGE, WIDE, pan(STAGE, WIDE, near, { x: 99_999, y: 99_999 }))).toMatchObject({
      left: 0,
      top: 0,
    });
    expect(pan(STAGE, WIDE, WHOLE, { x: 50, y: 50 })).toEqual(WHOLE);
  });
});
