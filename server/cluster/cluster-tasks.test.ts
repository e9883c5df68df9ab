import { expect, it, vi } from 'vitest';
import { createFakeLog, createFakeSystem } from '#shared/testing/fake-system';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import type { ClusterPorts } from './cluster-ports';
import { coordinate } from './cluster-tasks';

const HOUR_MS = 3_600_000;
/** Of the database; the clock of the process is years away. */
const NOW_MS = 1_000 * HOUR_MS;

/** What is repeated: lost work, unused files, retention. */
const REPEATED = 3;

type Store = ClusterPorts['store'];

/** Coordinates once, and ends. @param store what the store answers and does */
const runOnce = async (store: Partial<Store>, files: Partial<ClusterPorts['files']> = {}) => {
  const log = createFakeLog();
  const timer = createFakeTimer();
  let running: Promise<void> | undefined;
  const ending = new AbortController();
  const idle: Partial<Store> = {
    endLostClaims: async () => ({ jobs: [], failed: [] }),
    waitingJobs: async () => [],
    takeAbandonedFolders: async () => [],
    filesInDoubtSince: async () => [],
    nowMs: async () => NOW_MS,
    subjects: { removeCreatedBefore: async () => undefined } as unknown as Store['subjects'],
    countEndedBefore: async () => ({ due: 0, all: 0 }),
    endedBefore: async () => [],
    setFilesInDoubt: async () => undefined,
    whenElected: (run) => {
      running = run(ending.signal);
      return async () => undefined;
    },
  };
  const ports = {
    ...{ log, system: createFakeSystem(), timer },
    store: { ...idle, ...store },
    files: { remove: async () => undefined, ...files },
  } as unknown as ClusterPorts;
  coordinate(ports, { retentionMs: HOUR_MS, confirmsSweeps: false });
  while (timer.delays().length < REPEATED) await Promise.resolve();
  ending.abort();
  await running;
  return log;
};

it('retention counts from the clock of the database', async () => {
  const endedBefore = vi.fn(async () => []);
  await runOnce({ endedBefore });
  expect(endedBefore).toHaveBeenCalledWith(NOW_MS - HOUR_MS, expect.any(Number));
});

it('retention deletes no more than a tenth of all tasks when a process is elected', async () => {
  const remove = vi.fn(async () => undefined);
  const endedBefore = vi.fn(async () => ['old']);
  const countEndedBefore = async () => ({ due: 21, all: 100 });
  const log = await runOnce({ countEndedBefore, endedBefore, remove });
  expect(endedBefore).not.toHaveBeenCalled();
  expect(remove).not.toHaveBeenCalled();
  expect(log.causes).toHaveLength(1);
});

it('the record of an abandoned folder is ended after its files are removed', async () => {
  const steps: string[] = [];
  const takeAbandonedFolders = async () => [{ taskId: 'task', folder: 'attempt' }];
  const endSweeps = async (folders: readonly string[]) => void steps.push(`end ${folders.join()}`);
  await runOnce(
    { takeAbandonedFolders, endSweeps },
    { remove: async (prefix) => void steps.push(`remove ${prefix}`) },
  );
  expect(steps).toEqual(['remove output/task/attempt/', 'end attempt']);
});

it('the record of an abandoned folder stays if its files cannot be removed', async () => {
  const endSweeps = vi.fn(async () => undefined);
  const takeAbandonedFolders = async () => [{ taskId: 'task', folder: 'attempt' }];
  const log = await runOnce(
    { takeAbandonedFolders, endSweeps },
    { remove: () => Promise.reject(new Error('disk')) },
  );
  expect(endSweeps).not.toHaveBeenCalled();
  expect(log.causes).toEqual([new Error('disk')]);
});
