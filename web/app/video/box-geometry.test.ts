import { expect, it } from 'vitest';
import { boxBetween, containedIn, MIN_SIDE_PX, middleBox, movedBox, resizedBox } from './box-geometry';

const SIZE = { width: 100, height: 60 };
const BOX = { x1: 10, y1: 10, x2: 40, y2: 30 };

it('a box stays within the picture, and keeps its size while it is moved', () => {
  expect(movedBox(BOX, { x: 5, y: -3 }, SIZE)).toEqual({ x1: 15, y1: 7, x2: 45, y2: 27 });
  expect(movedBox(BOX, { x: 500, y: -500 }, SIZE)).toEqual({ x1: 70, y1: 0, x2: 100, y2: 20 });
});

it('a box that is resized ends at the picture, and never becomes too small to be followed', () => {
  expect(resizedBox(BOX, { x: 500, y: 500 }, SIZE)).toEqual({ ...BOX, x2: 100, y2: 60 });
  expect(resizedBox(BOX, { x: -500, y: -500 }, SIZE)).toEqual({
    ...BOX,
    x2: 10 + MIN_SIDE_PX,
    y2: 10 + MIN_SIDE_PX,
  });
});

it('a box is drawn from any corner to any other; what is hardly drawn is none', () => {
  expect(boxBetween({ x: 40, y: 30 }, { x: 10, y: 10 }, SIZE)).toEqual(BOX);
  expect(boxBetween({ x: -9, y: -9 }, { x: 999, y: 999 }, SIZE)).toEqual({ x1: 0, y1: 0, x2: 100, y2: 60 });
  expect(boxBetween({ x: 10, y: 10 }, { x: 60, y: 12 }, SIZE)).toBeUndefined();
});

it('the first box lies in the middle', () => {
  expect(middleBox({ width: 80, height: 40 })).toEqual({ x1: 30, y1: 15, x2: 50, y2: 25 });
});

it('a picture is fitted in as the browser fits it in', () => {
  expect(containedIn({ width: 200, height: 200 }, SIZE)).toEqual({
    left: 0,
    top: 40,
    width: 200,
    height: 120,
  });
});
