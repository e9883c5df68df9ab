import { expect, test } from 'vitest';
import { withEarlierRecords, type ObjectDecision, type RecordedDecision } from './decision';

const FACE: ObjectDecision = { isHidden: true, objectClass: 'face', id: 3 };
const PLACE: ObjectDecision = {
  ...{ isHidden: false, objectClass: 'face', timeUs: 40_000 },
  box: { x1: 1, y1: 2, x2: 3, y2: 4 },
};
const by = (decision: ObjectDecision, reviewer: string, atMs: number): RecordedDecision => ({
  ...decision,
  reviewer,
  atMs,
});

test('a decision that is sent again keeps the time and the reviewer of its first record', () => {
  const before = [by(FACE, 'Ada', 1), by(PLACE, 'Ada', 2)];
  const again = [by(PLACE, 'Zoë', 9), by(FACE, 'Zoë', 9)];
  expect(withEarlierRecords(before, again)).toEqual([before[1], before[0]]);
});

test.each([
  ['decision', { isHidden: false }],
  ['class', { objectClass: 'person' }],
  ['object', { id: 4 }],
  ['time', { timeUs: 1 }],
  ['place', { box: { x1: 0, y1: 2, x2: 3, y2: 4 } }],
] as const)('a decision with another %s is a new one', (_, change) => {
  for (const one of [FACE, PLACE]) {
    const changed = by({ ...one, ...change }, 'Zoë', 9);
    if (JSON.stringify({ ...one, ...change }) === JSON.stringify(one)) continue;
    expect(withEarlierRecords([by(one, 'Ada', 1)], [changed])).toEqual([changed]);
  }
});

test('a decision that is not in the new list is dropped', () => {
  expect(withEarlierRecords([by(FACE, 'Ada', 1)], [])).toEqual([]);
});
