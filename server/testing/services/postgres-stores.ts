import { afterAll, onTestFinished } from 'vitest';
import { NO_EDITS, type Edits } from '#shared/domain/edits/edits';
import { LIMITS } from '#shared/domain/limits';
import type { Task, TaskEvent } from '#shared/domain/task';
import { taskRecord } from '#shared/testing/task-store-contract';
import type { Claim, WorkSettings } from '#shared/tasks/base/job-store';
import { openPostgresTaskStore, type PostgresOptions } from '../../adapters/postgres/task-store';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import { recordLog } from '../recorded-log';
import { findPostgres, startPostgres, type PostgresServerOptions } from './postgres';

/** Time without a heartbeat after which these stores give a task to another worker. */
export const SILENT_MS = 150;
export const SETTINGS: WorkSettings = { saveMask: 'none', limits: LIMITS };
export const WANTED: Edits = { ...NO_EDITS, method: 'blur' };
export const FINISHED: TaskEvent = { type: 'finished', atMs: 1 };
export const APPLIED: TaskEvent = { type: 'edit-applied', atMs: 1, laterWait: false };

/** Starts a server that ends with the tests of the file; undefined without PostgreSQL. */
export const startServerForFile = async (options?: PostgresServerOptions) => {
  const programs = await findPostgres();
  const server = programs === undefined ? undefined : await startPostgres(programs, options);
  afterAll(() => server?.stop());
  return server;
};

/** Opens a store that is closed after the test. */
export const openStore = async (
  url: string,
  options: Partial<PostgresOptions> = {},
): Promise<SharedTaskStore> => {
  const store = await openPostgresTaskStore(url, { silentMs: SILENT_MS, log: recordLog().log, ...options });
  onTestFinished(() => store.close());
  return store;
};

/** Accepts a task without a limit. */
export const accept = (store: SharedTaskStore, id: string, changes: Partial<Task> = {}, isUrgent = false) =>
  store.accept({ task: taskRecord(id, changes), settings: SETTINGS, isUrgent }, { maxUnfinished: undefined });

/** Claims a task, which must be possible. */
export const claimed = async (store: SharedTaskStore, id: string): Promise<Claim> => {
  const claim = await store.claim(id, 'a worker');
  if (!claim) throw new Error(`${id} was not claimed.`);
  return claim;
};

/** Adds a done task with a result in one folder. */
export const acceptDone = async (store: SharedTaskStore, id: string): Promise<Claim> => {
  await accept(store, id);
  const claim = await claimed(store, id);
  await store.complete(claim, [FINISHED], [claim.token]);
  return claim;
};
