import { expect, test } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import { FAULT } from './failure';
import { reduceTask, type Task } from './task';
import { defaultImageOptions } from './options';

const queued: Task = {
  id: 'a',
  status: 'queued',
  progress: 0,
  kind: 'image',
  contentType: 'image/jpeg',
  filename: 'a.jpg',
  options: defaultImageOptions({ classes: ['face'] }),
  attempts: 0,
  createdAtMs: 1,
  startedAtMs: null,
  finishedAtMs: null,
  failure: null,
  webhook: null,
};
const started = reduceTask(queued, { type: 'started', atMs: 2 });

test('progress never decreases and never exceeds 1', () => {
  const half = reduceTask(started, { type: 'progressed', progress: 0.5 });
  expect(reduceTask(half, { type: 'progressed', progress: 0.2 }).progress).toBe(0.5);
  expect(reduceTask(half, { type: 'progressed', progress: 7 }).progress).toBe(1);
});

test('progress of a conversion is kept while frames are processed, and removed by an interruption', () => {
  const video = { ...videoOptions(), framesDone: 0, framesTotal: null };
  const converting = reduceTask(
    { ...started, video },
    { type: 'progressed', progress: 0.05, converted: 0.5 },
  );
  expect(converting.video).toEqual({ ...video, converted: 0.5 });
  const frames = { done: 3, total: 9 };
  const moving = reduceTask(converting, { type: 'progressed', progress: 0.4, converted: 1, frames });
  expect(moving.video).toEqual({ ...video, converted: 1, framesDone: 3, framesTotal: 9 });
  expect(reduceTask(moving, { type: 'interrupted' }).video).toEqual(video);
});

test('a task that has ended ignores later events of its processing', () => {
  const done = reduceTask(started, { type: 'finished', atMs: 3 });
  expect(reduceTask(done, { type: 'failed', atMs: 4, failure: FAULT })).toBe(done);
  expect(reduceTask(done, { type: 'started', atMs: 4 })).toBe(done);
});

test('decisions are recorded of a done task only, and removed with its files', () => {
  const decisions = [
    { decision: 'hidden', type_label: 'face', id: 1, at: '2026-01-05T00:00:00', reviewer: 'Ada' },
  ] as const;
  const done = reduceTask(started, { type: 'finished', atMs: 3 });
  expect(reduceTask(started, { type: 'decided', decisions })).toBe(started);
  const decided = reduceTask(done, { type: 'decided', decisions });
  expect(decided.decisions).toEqual(decisions);
  expect(reduceTask(decided, { type: 'files-deleted' }).decisions).toBeUndefined();
});

test('deleting files ends a task in any state', () => {
  expect(reduceTask(queued, { type: 'files-deleted' }).status).toBe('deleted');
  const deleted = reduceTask(started, { type: 'files-deleted' });
  expect(reduceTask(deleted, { type: 'finished', atMs: 3 }).status).toBe('deleted');
});
