import { mutedPartOf } from '#shared/domain/edits/edits';
import { expect, it } from 'vitest';
import { isMutedAt, movePart, partBetween, withMutedParts } from './muted-parts';
import { NO_ITEM_EDITS } from './edit-history';

const parts = (...spans: readonly (readonly [number, number])[]) => spans.map(mutedPartOf);

it('muted parts are kept sorted and joined, in whole milliseconds rounded outwards', () => {
  const edits = withMutedParts(NO_ITEM_EDITS, parts([5.0004, 6.0004], [1, 2], [1.5, 3]));
  expect(edits.mute).toEqual([
    [1, 3],
    [5, 6.001],
  ]);
  expect(withMutedParts(edits, [])).toEqual(NO_ITEM_EDITS);
});

it('parts of different kinds are kept apart: the later one begins when the earlier one ends', () => {
  const edits = withMutedParts(NO_ITEM_EDITS, [
    { start: 2, end: 4, as: 'bleep' },
    { start: 1, end: 3 },
    { start: 3.2, end: 3.4, reason: 'b6' },
  ]);
  expect(edits.mute).toEqual([[1, 3], { start: 3, end: 4, as: 'bleep' }]);
});

it('a part is moved or resized only inside the video, and never becomes empty', () => {
  const [part] = parts([2, 4]);
  expect(movePart(part!, 'whole', -3, 10)).toEqual({ start: 0, end: 2 });
  expect(movePart(part!, 'whole', 9, 10)).toEqual({ start: 8, end: 10 });
  expect(movePart(part!, 'start', 5, 10)).toEqual({ start: 3.95, end: 4 });
  expect(movePart(part!, 'end', 99, 10)).toEqual({ start: 2, end: 10 });
});

it('a part lies between two moments in any order, unless they are nearly the same', () => {
  expect(partBetween(3, 1)).toEqual({ start: 1, end: 3 });
  expect(partBetween(3, 3.01)).toBeUndefined();
});

it('a moment is muted from the start of a part up to, not including, its end', () => {
  expect([0.9, 1, 1.9, 2].map((timeS) => isMutedAt(parts([1, 2]), timeS))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
