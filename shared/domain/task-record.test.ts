import { expect, it } from 'vitest';
import { taskRecord } from '../testing/task-store-contract';
import { FAULT } from './failure';
import { taskFromRecord } from './task-record';

const { failure: _none, ...RECORD } = taskRecord('one', { status: 'failed' });
const DAMAGED = { kind: 'bad-file', sentence: 'The picture is damaged.' } as const;

it('a record of version 0.1 has the failure that its sentence marks', () => {
  const task = taskFromRecord({ ...RECORD, error: DAMAGED.sentence });
  expect(task).toEqual({ ...RECORD, failure: DAMAGED });
  expect(taskFromRecord({ ...RECORD, error: FAULT.sentence }).failure).toEqual(FAULT);
});

it('a record of version 0.1 without a sentence has no failure', () => {
  expect(taskFromRecord({ ...RECORD, error: null })).toEqual({ ...RECORD, failure: null });
});

it.each([
  ['unreadable', 'bad-file'],
  ['timed-out', 'timeout'],
  ['unstorable', 'no-storage'],
  ['fault', 'fault'],
] as const)('a record with a sentence and the kind %s has a failure of the kind %s', (failure, kind) => {
  const task = taskFromRecord({ ...RECORD, error: 'It failed.', failure });
  expect(task).toEqual({ ...RECORD, failure: { kind, sentence: 'It failed.' } });
});

it('a deleted task of version 0.1 keeps the sentence of its failure', () => {
  const task = taskFromRecord({ ...RECORD, status: 'deleted', error: DAMAGED.sentence });
  expect(task).toMatchObject({ status: 'deleted', failure: DAMAGED });
});

it.each([null, DAMAGED])('a record of this version is the task itself', (failure) => {
  const task = { ...RECORD, failure };
  expect(taskFromRecord(JSON.parse(JSON.stringify(task)) as typeof task)).toEqual(task);
});
