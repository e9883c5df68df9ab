import { expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { plainRaster } from '../../testing/rasters';
import { followDrawn } from './follow-drawn';
import type { DrawnBox, FollowedBox, TimeRange } from '../../domain/video-edits';

const FRAMES = 50;
const FRAME_US = 40_000;
const DRAWN_AT = 10;
/** Nothing in it can be recognised again. */
const WALL = plainRaster(160, 90, [120, 120, 120]);
const BOX = boxOf(40, 30, 80, 60);

/** Numbers of the frames with hidden boxes, and the reported time ranges. */
const follow = (
  range?: TimeRange,
): { readonly hidden: readonly number[]; readonly reported: FollowedBox } => {
  const drawn: DrawnBox = { id: 1, timeUs: DRAWN_AT * FRAME_US, box: BOX, ...(range && { range }) };
  const follower = followDrawn([drawn]);
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

it('a box with a range is hidden from its beginning to its end, lost or not, and one frame beside it', () => {
  const { hidden, reported } = follow({ fromUs: 5 * FRAME_US, untilUs: 40.5 * FRAME_US });
  expect(hidden).toEqual(from(4, 41));
  expect(reported).toEqual({
    id: 1,
    fromUs: 4 * FRAME_US,
    seenUntilUs: (DRAWN_AT + 1) * FRAME_US,
    untilUs: 42 * FRAME_US,
  });
});

it('a box with a range is not hidden after the range', () => {
  const { hidden } = follow({ fromUs: DRAWN_AT * FRAME_US, untilUs: (DRAWN_AT + 2) * FRAME_US });
  expect(hidden).toEqual(from(DRAWN_AT - 1, DRAWN_AT + 3));
});
