import { expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { createRaster, plainRaster } from '../../testing/rasters';
import { followDrawn } from './follow-drawn';
import type { AreaEdit, FollowedArea } from '../../domain/edits/edits';
import { toBbox } from '../../domain/boxes';

const FRAMES = 50;
const FRAME_US = 40_000;
const FRAME_S = 0.04;
const DRAWN_AT = 10;
/** Nothing in it can be recognised again. */
const WALL = plainRaster(160, 90, [120, 120, 120]);
const BOX = boxOf(40, 30, 80, 60);

/** Numbers of the frames with hidden boxes, and the reported time ranges. */
const follow = (
  range: Pick<AreaEdit, 'start' | 'end'> = {},
): { readonly hidden: readonly number[]; readonly reported: FollowedArea } => {
  const at = DRAWN_AT * FRAME_S;
  const follower = followDrawn([
    { type_label: 'face', shape: 'box', bbox: toBbox(BOX), hidden: false, at },
    { type_label: 'face', shape: 'box', bbox: toBbox(BOX), at, ...range },
  ]);
  const hidden = Array.from({ length: FRAMES }, (_, index) => index).filter((index) => {
    const frame = { index, timestampUs: index * FRAME_US, durationUs: FRAME_US, raster: WALL };
    return follower.step(frame, index === FRAMES - 1).length > 0;
  });
  return { hidden, reported: follower.followed()[0]! };
};
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

it('a box that is lost at once is hidden for the coasting time, and in the frame before its own', () => {
  const { hidden } = follow();
  expect(hidden[0]).toBe(DRAWN_AT - 1);
  expect(hidden.at(-1)).toBeLessThan(DRAWN_AT + 20);
});

it('a box with a range is hidden from its beginning to its end, lost or not, and one frame next to it', () => {
  const { hidden, reported } = follow({ start: 5 * FRAME_S, end: 40.5 * FRAME_S });
  expect(hidden).toEqual(from(4, 41));
  expect(reported).toEqual({
    area: 1,
    from: 4 * FRAME_S,
    seen_until: (DRAWN_AT + 1) * FRAME_S,
    until: 42 * FRAME_S,
  });
});

it('a box with a range is not hidden after the range', () => {
  const { hidden } = follow({ start: DRAWN_AT * FRAME_S, end: (DRAWN_AT + 2) * FRAME_S });
  expect(hidden).toEqual(from(DRAWN_AT - 1, DRAWN_AT + 3));
});

it('a box whose range ends when it was drawn is hidden on the first frame, though the video begins after the range', () => {
  const follower = followDrawn([
    { type_label: 'face', shape: 'box', bbox: toBbox(BOX), at: 0, start: 0, end: 0 },
  ]);
  const frame = { index: 0, timestampUs: 49_990, durationUs: FRAME_US, raster: WALL };
  expect(follower.step(frame, false)).toHaveLength(1);
});

it('a box in a panorama is followed over the seam', () => {
  const [step, count, size] = [4, 20, { width: 160, height: 80 }];
  const follower = followDrawn([{ type_label: 'face', shape: 'box', bbox: [130, 30, 150, 50], at: 0 }], true);
  const places = Array.from({ length: count }, (_, index) => {
    const raster = createRaster(size.width, size.height, (x, y) => {
      const across = (x - index * step - 130 + 3 * size.width) % size.width;
      const isThing = across < 20 && y >= 30 && y < 50;
      return isThing ? [(across * 53) % 256, (y * 91) % 256, 40] : [90, 90, 90];
    });
    const frame = { index, timestampUs: index * FRAME_US, durationUs: FRAME_US, raster };
    return follower.step(frame, index === count - 1)[0]?.seen.x1;
  });
  const last = 130 + (count - 1) * step;
  expect(Math.abs((places.at(-1) ?? 0) - last)).toBeLessThan(2);
});
