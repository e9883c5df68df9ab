import { expect, it } from 'vitest';
import { logAsCsv, redactionLog } from './redaction-log';
import { taskRecord } from '../../../testing/task-store-contract';

it('scores of the table have at most four digits', () => {
  const score = 0.123456789;
  const redaction = { objectClass: 'face', method: 'blur', isDecided: false, score } as const;
  const log = redactionLog({
    task: taskRecord('any'),
    stored: undefined,
    editsInForce: {},
    redactions: [redaction, { ...redaction, score: 1 / 3 }, { ...redaction, score: 1 }],
  });
  const scores = logAsCsv(log)
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').at(-2));
  expect(scores).toEqual(['0.1235', '0.3333', '1']);
  expect(log.redactions[0]?.score).toBe(score);
});
