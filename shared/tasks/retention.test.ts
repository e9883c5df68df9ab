import { expect, test } from 'vitest';
import { createFakeLog, createFakeSystem } from '../testing/fake-system';
import { createFakeTimer } from '../testing/fake-webhooks';
import { retain, startRetention } from './retention';
import type { Task } from '../domain/task';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RETENTION_MS = 7 * DAY_MS;
const START_MS = 100 * DAY_MS;

const taskOf = (id: string, status: Task['status'], endedAtMs: number | null, createdAtMs = 0): Task =>
  ({ id, status, finishedAtMs: endedAtMs, createdAtMs }) as Task;

const open = async (...given: readonly Task[]) => {
  let tasks = given;
  let nowMs = START_MS;
  const timer = createFakeTimer();
  const log = createFakeLog();
  const service = {
    list: async () => tasks,
    delete: async (id: string) => {
      tasks = tasks.filter((task) => task.id !== id);
      return true;
    },
  };
  const ports = { system: { nowMs: () => nowMs, elapsedMs: () => nowMs } as never, timer, log };
  const settings = { retentionMs: RETENTION_MS, confirmsSweeps: false };
  const retention = startRetention(settings, service, ports);
  const settled = async () => {
    while (timer.delays().length === 0) await Promise.resolve();
  };
  await settled();
  return {
    retention,
    timer,
    log,
    service,
    ids: () => tasks.map(({ id }) => id),
    add: (task: Task) => void (tasks = [task, ...tasks]),
    /** Lets the time pass up to the next look. */
    elapse: async () => {
      nowMs += timer.delays()[0] ?? 0;
      timer.elapse();
      await settled();
    },
  };
};

test('what ended longer ago is deleted at once, what ended later is kept', async () => {
  const { ids } = await open(
    taskOf('fresh', 'done', START_MS - RETENTION_MS + 1),
    taskOf('old', 'done', START_MS - RETENTION_MS),
    taskOf('old failure', 'failed', START_MS - RETENTION_MS),
    taskOf('old without files', 'deleted', START_MS - RETENTION_MS),
    taskOf('deleted before its end', 'deleted', null),
  );
  expect(ids()).toEqual(['fresh']);
});

test('what waits or is worked on is kept, however old it is', async () => {
  const { ids } = await open(taskOf('a', 'queued', null), taskOf('b', 'processing', null));
  expect(ids()).toEqual(['a', 'b']);
});

test('the next task is deleted when it is due, and not before', async () => {
  const { ids, elapse, timer } = await open(taskOf('soon', 'done', START_MS - RETENTION_MS + 10 * MINUTE_MS));
  expect(timer.delays()).toEqual([10 * MINUTE_MS]);
  await elapse();
  expect(ids()).toEqual([]);
});

test('runs are at least a minute and at most an hour apart', async () => {
  expect((await open(taskOf('a', 'done', START_MS - RETENTION_MS + 1))).timer.delays()).toEqual([MINUTE_MS]);
  expect((await open()).timer.delays()).toEqual([60 * MINUTE_MS]);
});

test('what comes later is deleted in its turn', async () => {
  const { ids, add, elapse } = await open();
  add(taskOf('new', 'done', START_MS));
  for (let hours = 0; hours < 7 * 24; hours++) {
    expect(ids()).toEqual(['new']);
    await elapse();
  }
  expect(ids()).toEqual([]);
});

test('a deletion that fails is logged and tried again', async () => {
  const { service, ids, elapse, log, add } = await open();
  const { delete: remove } = service;
  service.delete = () => Promise.reject(new Error('disk'));
  add(taskOf('old', 'done', 0));
  await elapse();
  expect(log.causes).toEqual([new Error('disk')]);
  service.delete = remove;
  await elapse();
  expect(ids()).toEqual([]);
});

test('nothing is deleted after it was stopped', async () => {
  const { retention, timer } = await open();
  await retention.stop();
  expect(timer.delays()).toEqual([]);
});

test.each([
  ['knows when the next task is due', { nextEndMs: START_MS }],
  ['does not know it', {}],
])('a refused sweep is tried and logged again after an hour, by a host that %s', async (_host, next) => {
  const [timer, log, stopped] = [createFakeTimer(), createFakeLog(), new AbortController()];
  const find = async () => ({ due: 500, all: 500, ids: ['old'], ...next });
  const remove = async () => expect.unreachable();
  const retaining = retain(
    { retentionMs: RETENTION_MS, confirmsSweeps: false },
    { nowMs: async () => START_MS, find, delete: remove, subjects: undefined },
    { system: createFakeSystem(), timer, log },
    stopped.signal,
  );
  for (let refusals = 1; refusals <= 3; refusals += 1) {
    while (timer.delays().length === 0) await Promise.resolve();
    expect(log.causes).toHaveLength(refusals);
    expect(timer.elapse()).toBe(60 * MINUTE_MS);
  }
  stopped.abort();
  await retaining;
});

test('a first sweep of more than a tenth of all tasks deletes nothing', async () => {
  const old = Array.from({ length: 30 }, (_, index) => taskOf(`old ${index}`, 'done', 0));
  const { ids, elapse, log, timer } = await open(...old, taskOf('fresh', 'done', START_MS));
  expect(ids()).toHaveLength(31);
  expect(timer.delays()).toEqual([60 * MINUTE_MS]);
  await elapse();
  expect(ids()).toHaveLength(31);
  expect(log.causes).toHaveLength(2);
});

test('many tasks that ended together are deleted together when they are due', async () => {
  const { ids, add, elapse } = await open();
  for (let index = 0; index < 30; index += 1) add(taskOf(`task ${index}`, 'done', START_MS));
  for (let hours = 0; hours < 7 * 24; hours++) await elapse();
  expect(ids()).toEqual([]);
});
