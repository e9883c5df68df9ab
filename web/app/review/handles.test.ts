import { describe, expect, it } from 'vitest';
import { boxBetween, HANDLES, movedBox, resizedBox } from './handles';

const PICTURE = { width: 200, height: 100 };
const BOX = { x1: 50, y1: 40, x2: 90, y2: 60 };

describe('a box that is dragged', () => {
  it('keeps its size, and its middle in the picture', () => {
    expect(movedBox(BOX, { x: 10, y: -5 }, PICTURE)).toEqual({ x1: 60, y1: 35, x2: 100, y2: 55 });
    expect(movedBox(BOX, { x: 9999, y: -9999 }, PICTURE)).toEqual({ x1: 180, y1: -10, x2: 220, y2: 10 });
  });

  it('moves the sides that its handle names, and no others', () => {
    expect(resizedBox(BOX, 'e', { x: 7, y: 7 }, PICTURE)).toEqual({ ...BOX, x2: 97 });
    expect(resizedBox(BOX, 'nw', { x: 7, y: 7 }, PICTURE)).toEqual({ ...BOX, x1: 57, y1: 47 });
    expect(resizedBox(BOX, 's', { x: 7, y: 7 }, PICTURE)).toEqual({ ...BOX, y2: 67 });
  });

  it('is never turned inside out, nor pulled out of the picture', () => {
    for (const handle of HANDLES) {
      for (const by of [
        { x: 999, y: 999 },
        { x: -999, y: -999 },
      ]) {
        const { x1, y1, x2, y2 } = resizedBox(BOX, handle, by, PICTURE);
        expect(x2 - x1, handle).toBeGreaterThan(0);
        expect(y2 - y1, handle).toBeGreaterThan(0);
        expect([x1 >= 0, y1 >= 0, x2 <= 200, y2 <= 100], handle).toEqual([true, true, true, true]);
      }
    }
  });

  it('is drawn from any corner to any other, in whole pixels of the picture', () => {
    expect(boxBetween({ x: 30.4, y: 20 }, { x: 10, y: 300 }, PICTURE)).toEqual({
      x1: 10,
      y1: 20,
      x2: 30,
      y2: 100,
    });
  });
});
