import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { outputFolder, sourceKey } from '#shared/tasks/files/task-files';
import { createImageQueue } from '#shared/tasks/base/weighted-queue';
import { createFakeEngine } from '#shared/testing/fake-engine';
import { createFakeLog, createFakeSystem } from '#shared/testing/fake-system';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import { createMemoryStorage } from '#shared/testing/memory-storage';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { taskRecord } from '#shared/testing/task-store-contract';
import { StoreUnavailable, type Claim } from '#shared/tasks/base/job-store';
import { timer } from '../adapters/system';
import { createMemoryWorkQueue } from '../testing/memory-work-queue';
import { temporaryFolder } from '../testing/temporary-folder';
import type { ClaimPorts } from './cluster-ports';
import { runClaim } from './worker';
import type { SharedTaskStore } from './shared-task-store';

const ID = 'task';
const TOKEN = 'attempt';
const CLAIM: Claim = {
  token: TOKEN,
  work: 'process',
  task: taskRecord(ID, { status: 'processing' }),
  settings: { saveMask: 'none', keepMetadata: false, limits: LIMITS, taskTimeoutMs: undefined },
  folders: [],
  wanted: undefined,
};

/** A worker's ports with a store that ends claims as given. */
const openPorts = async (complete: SharedTaskStore['complete'], folders: readonly string[] = []) => {
  const files = createMemoryStorage();
  await files.write(sourceKey(ID, 'jpeg'), RAMP_JPEG);
  const store = { heartbeat: async () => true, complete, folders: async () => folders };
  const ports: ClaimPorts = {
    ...{ files, engine: createFakeEngine(), queue: createMemoryWorkQueue(), log: createFakeLog() },
    ...{ system: createFakeSystem(), timer, workerName: 'one', dividesVideos: false },
    store: store as unknown as SharedTaskStore,
    images: createImageQueue({}),
    temporaryFolder: join(temporaryFolder(), 'cleaned by the system'),
  };
  const resultKeys = (): string[] =>
    files.keys().filter((key) => key.startsWith(`${outputFolder(ID)}${TOKEN}/`));
  return { ports, resultKeys };
};

const NEVER = new AbortController().signal;

test('a result that the database has stored stays, although the answer of the database was lost', async () => {
  const folders: string[] = [];
  const { ports, resultKeys } = await openPorts(async () => {
    if (folders.includes(TOKEN)) return false; // the claim has ended: with this result
    folders.push(TOKEN);
    throw new StoreUnavailable('The connection was lost.');
  }, folders);
  expect(await runClaim(CLAIM, ports, NEVER)).toBe('completed');
  expect(resultKeys()).not.toEqual([]);
});

test('files of a claim that another worker has taken over are removed', async () => {
  const { ports, resultKeys } = await openPorts(async () => false, ['of another worker']);
  expect(await runClaim(CLAIM, ports, NEVER)).toBe('lost');
  expect(resultKeys()).toEqual([]);
});

test('a task is processed although the system has removed the folder for temporary files', async () => {
  const { ports } = await openPorts(async () => ({ next: undefined }));
  expect(existsSync(ports.temporaryFolder)).toBe(false);
  expect(await runClaim(CLAIM, ports, NEVER)).toBe('completed');
});

test('an image waits for room in memory, and its time limit starts when it has it', async () => {
  const { ports } = await openPorts(async () => ({ next: undefined }));
  const images = createImageQueue({ memoryBudgetBytes: 1 });
  let leave = (): void => undefined;
  const other = images.run(() => new Promise<void>((resolve) => (leave = resolve)), 1);
  let finish = (): void => undefined;
  const engine = createFakeEngine(() => new Promise<void>((resolve) => (finish = resolve)));
  const own = createFakeTimer();
  const settings = { ...CLAIM.settings, taskTimeoutMs: 30_000 };
  const outcome = runClaim({ ...CLAIM, settings }, { ...ports, engine, images, timer: own }, NEVER);
  expect(own.delays()).not.toContain(30_000);
  leave();
  await other;
  await expect.poll(() => own.delays()).toContain(30_000);
  await expect.poll(() => (finish(), own.delays())).not.toContain(30_000);
  expect(await outcome).toBe('completed');
});
