import type { KeyboardEvent } from 'react';
import { describe, expect, it } from 'vitest';
import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import { draggedBox, drawnBox, HANDLES, isDrag, minSidePx, nudgedBox, placedBox } from './box-geometry';

const FAR = 9999;
/** One image px is one px of the screen. */
const IMAGE = { width: 200, height: 100, pxPerScreenPx: 1 };
const BOX = { x1: 50, y1: 40, x2: 90, y2: 60 };
const MIN = minSidePx(IMAGE);

const key = (name: string, modifiers: Partial<KeyboardEvent> = {}) =>
  ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...modifiers,
  }) as KeyboardEvent;

const isInside = ({ x1, y1, x2, y2 }: Box): boolean => x1 >= 0 && y1 >= 0 && x2 <= 200 && y2 <= 100;

describe('a box that is moved', () => {
  it('keeps its size and stays inside the image', () => {
    expect(draggedBox(BOX, 'box', { x: 10, y: -5 }, IMAGE)).toEqual({ x1: 60, y1: 35, x2: 100, y2: 55 });
    expect(draggedBox(BOX, 'box', { x: FAR, y: -FAR }, IMAGE)).toEqual({ x1: 160, y1: 0, x2: 200, y2: 20 });
  });

  it('does not jump into the image if it sticks out of it, but moves no farther out', () => {
    const out = { x1: -10, y1: 40, x2: 30, y2: 60 };
    expect(draggedBox(out, 'box', { x: -5, y: 5 }, IMAGE)).toEqual({ ...out, y1: 45, y2: 65 });
    expect(draggedBox(out, 'box', { x: 4, y: 0 }, IMAGE)).toEqual({ ...out, x1: -6, x2: 34 });
  });

  it('stays where it is if it is larger than the image', () => {
    const larger = { x1: -10, y1: -10, x2: 210, y2: 110 };
    expect(draggedBox(larger, 'box', { x: 50, y: -50 }, IMAGE)).toEqual(larger);
  });
});

describe('a box that is resized', () => {
  it('changes the sides that its handle names, and no others', () => {
    expect(draggedBox(BOX, 'e', { x: 7, y: 7 }, IMAGE)).toEqual({ ...BOX, x2: 97 });
    expect(draggedBox(BOX, 'nw', { x: 2, y: 2 }, IMAGE)).toEqual({ ...BOX, x1: 52, y1: 42 });
    expect(draggedBox(BOX, 's', { x: 7, y: 7 }, IMAGE)).toEqual({ ...BOX, y2: 67 });
  });

  it.each(HANDLES)('stays inside the image and large enough to be grabbed at its handle %s', (handle) => {
    for (const by of [
      { x: FAR, y: FAR },
      { x: -FAR, y: -FAR },
    ]) {
      const box = draggedBox(BOX, handle, by, IMAGE);
      expect(isInside(box)).toBe(true);
      expect(boxWidth(box)).toBeGreaterThanOrEqual(MIN);
      expect(boxHeight(box)).toBeGreaterThanOrEqual(MIN);
    }
  });

  it('only grows if it was smaller before, and does not jump', () => {
    const small = { x1: 50, y1: 40, x2: 54, y2: 44 };
    expect(draggedBox(small, 'se', { x: -3, y: -3 }, IMAGE)).toEqual(small);
    expect(draggedBox(small, 'se', { x: 1, y: 2 }, IMAGE)).toEqual({ ...small, x2: 55, y2: 46 });
  });
});

describe('a box that is drawn', () => {
  it('lies between any two corners, in whole pixels, inside the image', () => {
    const box = { x1: 10, y1: 20, x2: 30, y2: 100 };
    expect(drawnBox({ x: 30.4, y: 20 }, { x: 10, y: 300 }, IMAGE)).toEqual(box);
    expect(drawnBox({ x: -9, y: -9 }, { x: FAR, y: FAR }, IMAGE)).toEqual({ x1: 0, y1: 0, x2: 200, y2: 100 });
  });

  it('grows around its middle until it can be grabbed, also at the edge of the image', () => {
    const half = MIN / 2;
    expect(drawnBox({ x: 50, y: 50 }, { x: 50, y: 50 }, IMAGE)).toEqual({
      x1: 50 - half,
      y1: 50 - half,
      x2: 50 + half,
      y2: 50 + half,
    });
    expect(drawnBox({ x: 200, y: 0 }, { x: 198, y: 4 }, IMAGE)).toEqual({
      x1: 200 - MIN,
      y1: 0,
      x2: 200,
      y2: MIN,
    });
  });

  it('is as small as the image where the image is too small', () => {
    const tiny = { width: 6, height: 4, pxPerScreenPx: 1 };
    expect(drawnBox({ x: 2, y: 2 }, { x: 3, y: 3 }, tiny)).toEqual({ x1: 0, y1: 0, x2: 6, y2: 4 });
  });

  it('does not exist if the whole drag was next to the image', () => {
    expect(drawnBox({ x: -30, y: 10 }, { x: -5, y: 50 }, IMAGE)).toBeUndefined();
    expect(drawnBox({ x: 30, y: 120 }, { x: 90, y: 150 }, IMAGE)).toBeUndefined();
  });

  it('has a minimum size on the screen, so that it is smaller in an enlarged image', () => {
    const side = (pxPerScreenPx: number): number => {
      const box = drawnBox({ x: 50, y: 50 }, { x: 51, y: 51 }, { ...IMAGE, pxPerScreenPx });
      return box ? boxWidth(box) : 0;
    };
    expect(side(2)).toBe(2 * MIN);
    expect(side(1 / 4)).toBe(MIN / 4);
    expect(side(1 / 1000)).toBe(2);
  });
});

describe('around a panorama', () => {
  const around = { ...IMAGE, wraps: true };

  it('a box moves over the seam both ways, and begins inside', () => {
    expect(draggedBox(BOX, 'box', { x: 130, y: 0 }, around)).toEqual({ ...BOX, x1: 180, x2: 220 });
    expect(draggedBox(BOX, 'box', { x: 155, y: 0 }, around)).toEqual({ ...BOX, x1: 5, x2: 45 });
    expect(draggedBox(BOX, 'box', { x: -60, y: 0 }, around)).toEqual({ ...BOX, x1: 190, x2: 230 });
  });

  it('a box grows over the seam, to a whole turn at most, and not over the poles', () => {
    expect(draggedBox(BOX, 'w', { x: -60, y: 0 }, around)).toEqual({ ...BOX, x1: 190, x2: 290 });
    const { x1, x2, y2 } = draggedBox(BOX, 'se', { x: FAR, y: FAR }, around);
    expect([x2 - x1, y2]).toEqual([200, 100]);
  });

  it('a box is drawn over the seam in one piece', () => {
    const box = { x1: 190, y1: 20, x2: 230, y2: 60 };
    expect(drawnBox({ x: 190, y: 20 }, { x: 230, y: 60 }, around)).toEqual(box);
    expect(drawnBox({ x: 30, y: 20 }, { x: -10, y: 60 }, around)).toEqual(box);
  });
});

describe('a key', () => {
  it('moves a box by arrows, and resizes it by Shift and arrows, by the rules of the pointer', () => {
    expect(nudgedBox(key('ArrowRight'), BOX, IMAGE)).toEqual({ ...BOX, x1: 54, x2: 94 });
    expect(nudgedBox(key('ArrowDown', { shiftKey: true }), BOX, IMAGE)).toEqual({ ...BOX, y2: 64 });
    const atEdge = { x1: 0, y1: 0, x2: MIN, y2: MIN };
    expect(nudgedBox(key('ArrowLeft'), atEdge, IMAGE)).toEqual(atEdge);
    expect(nudgedBox(key('ArrowLeft', { shiftKey: true }), atEdge, IMAGE)).toEqual(atEdge);
  });

  it('moves a box by at least one pixel, in finer steps the closer the view', () => {
    const step = (pxPerScreenPx: number): number =>
      (nudgedBox(key('ArrowRight'), BOX, { ...IMAGE, pxPerScreenPx })?.x1 ?? 0) - BOX.x1;
    expect([step(2), step(1), step(1 / 100)]).toEqual([8, 4, 1]);
  });

  it('is left to the browser if it is no arrow, or pressed with Ctrl, Alt or Meta', () => {
    expect(nudgedBox(key('a'), BOX, IMAGE)).toBeUndefined();
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) {
      expect(nudgedBox(key('ArrowLeft', { [modifier]: true }), BOX, IMAGE)).toBeUndefined();
    }
  });

  it('places a box of a quarter of the visible part in its centre', () => {
    const visible = { x1: 100, y1: 0, x2: 200, y2: 100 };
    expect(placedBox(visible, IMAGE)).toEqual({ x1: 138, y1: 38, x2: 163, y2: 63 });
  });
});

it('a movement of the pointer is a drag from 3 px of the screen on', () => {
  expect(isDrag({ x: 10, y: 10 }, { x: 12, y: 11 })).toBe(false);
  expect(isDrag({ x: 10, y: 10 }, { x: 13, y: 10 })).toBe(true);
});
