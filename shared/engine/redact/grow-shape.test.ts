import { expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { boxArea, boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import { fillShape, shapeBounds } from '../masks/fill-shape';
import { encodeRuns } from '../pixels/runs';
import { growShape } from './grow-shape';

const SIZE = { width: 60, height: 40 };
const BOX = boxOf(20, 10, 30, 22);
/** An L: its left column and its lowest row. */
const L = Array.from({ length: boxArea(BOX) }, (_, i) =>
  i % boxWidth(BOX) === 0 || i >= boxWidth(BOX) * (boxHeight(BOX) - 1) ? 1 : 0,
);
const MASK: Shape = { kind: 'runs', box: BOX, runs: encodeRuns(Uint8Array.from(L)) };
const covered = (shape: Shape, window: Box = boxOf(0, 0, SIZE.width, SIZE.height)): Uint8Array => {
  const alpha = new Uint8Array(boxArea(window));
  fillShape(shape, window, alpha);
  return alpha;
};

it('a mask spreads by the same on all sides as its bounds grow, and keeps its outline', () => {
  const [dx, dy] = [3, 3];
  const expected = covered(MASK).map((_, at, before) => {
    const [x, y] = [at % SIZE.width, Math.floor(at / SIZE.width)];
    for (let row = Math.max(0, y - dy); row <= Math.min(SIZE.height - 1, y + dy); row++) {
      const from = row * SIZE.width + Math.max(0, x - dx);
      const until = row * SIZE.width + Math.min(SIZE.width, x + dx + 1);
      if (before.subarray(from, until).includes(255)) return 255;
    }
    return 0;
  });
  expect(covered(growShape(MASK, 1.5, SIZE))).toEqual(expected);
});

it('a mask ends at the edges of the image', () => {
  const atEdge: Shape = { ...MASK, box: boxOf(0, 0, 10, 12) };
  expect(shapeBounds(growShape(atEdge, 2, SIZE))).toEqual(boxOf(0, 0, 15, 18));
});

it('a quadrilateral contains the one that it was, at each side', () => {
  const quad: Shape = {
    kind: 'quad',
    corners: [
      [10, 12],
      [30, 8],
      [31, 16],
      [11, 20],
    ],
  };
  const [was, is] = [covered(quad), covered(growShape(quad, 1.4, SIZE))];
  expect(was.every((alpha, i) => alpha === 0 || is[i] === 255)).toBe(true);
  expect(boxWidth(shapeBounds(growShape(quad, 1.4, SIZE)))).toBeCloseTo(1.4 * 21);
});

it('a shape of a panorama becomes at most as wide as it', () => {
  for (const shape of [MASK, { kind: 'box', box: BOX }] as const) {
    const wide = growShape(growShape(shape, 2, SIZE), 2, { width: 30, height: 40, wraps: true });
    expect(boxWidth(shapeBounds(wide))).toBe(30);
  }
});
