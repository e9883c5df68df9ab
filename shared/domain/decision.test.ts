import { expect, test } from 'vitest';
import { withEarlierRecords, type ObjectDecision, type RecordedDecision } from './decision';

const FACE: ObjectDecision = { decision: 'hidden', type_label: 'face', id: 3 };
const PLACE: ObjectDecision = { decision: 'visible', type_label: 'face', bbox: [1, 2, 3, 4], time: 0.04 };
const by = (decision: ObjectDecision, reviewer: string, day: number): RecordedDecision => ({
  ...decision,
  reviewer,
  at: `2026-01-0${day}T00:00:00`,
});

test('a decision that is sent again keeps the time and the reviewer of its first record', () => {
  const before = [by(FACE, 'Ada', 1), by(PLACE, 'Ada', 2)];
  const again = [by(PLACE, 'Zoë', 9), by(FACE, 'Zoë', 9)];
  expect(withEarlierRecords(before, again)).toEqual([before[1], before[0]]);
});

test.each([
  ['decision', { decision: 'visible' }],
  ['class', { type_label: 'person' }],
  ['object', { id: 4 }],
  ['time', { time: 1 }],
  ['place', { bbox: [0, 2, 3, 4] }],
] as const satisfies readonly (readonly [string, Partial<ObjectDecision>])[])(
  'a decision with another %s is a new one',
  (_, change) => {
    for (const one of [FACE, PLACE]) {
      const changed = by({ ...one, ...change }, 'Zoë', 9);
      if (JSON.stringify({ ...one, ...change }) === JSON.stringify(one)) continue;
      expect(withEarlierRecords([by(one, 'Ada', 1)], [changed])).toEqual([changed]);
    }
  },
);

test('a decision that is not in the new list is dropped', () => {
  expect(withEarlierRecords([by(FACE, 'Ada', 1)], [])).toEqual([]);
});
