import type { Log } from '#shared/ports/system';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import { createSweeps } from './attempts';
import { createClaims, createLostClaims, createEdits } from './claims';
import {
  type TimeLimits,
  type SessionOptions,
  type Database,
  type Session,
  CHANNEL,
  connect,
  TIME_LIMITS,
  openSession,
} from './connect';
import { countWork, createDueTasks, createFilesInDoubt, createSubjects } from './due-work';
import { createElections, createSharedKeys } from './locks';
import { createTaskTable } from './task-table';
import { migrate } from './migrate';
import { createSegments } from './segments';
import type { StoreRole } from './locked-task';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when a signal aborts. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** How often changes are read while there is no subscription. */
const POLL_MS = 1_000;
const RECONNECT_MS = 250;
/** A broken subscription is noticed late, and transactions commit later than they begin. */
const OVERLAP_MS = 30_000;

type Changes = Pick<SharedTaskStore, 'onChange'> & { close(): Promise<void> };

/**
 * Changes of tasks, by a subscription to notifications (LISTEN).
 *
 * While the subscription is interrupted, and once after each interruption, changed tasks are read from the table.
 * Removed tasks are missing there: their removal is reported by notifications only.
 *
 * @param open opens the connection of the subscription
 */
const createChanges = (
  database: Database,
  open: (onNotification: (id: string) => void) => Promise<Session>,
): Changes => {
  const reports = new Set<(id: string) => void>();
  const ending = new AbortController();
  const notify = (id: string): void => reports.forEach((report) => report(id));
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);

  let lastHeardMs = performance.now();
  let isListening = false;
  const poll = async (): Promise<void> => {
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM tasks WHERE changed_at >= now() - $1 * interval '1 ms'`,
      [performance.now() - lastHeardMs + OVERLAP_MS],
    );
    rows.forEach(({ id }) => notify(id));
  };
  const listen = async (): Promise<void> => {
    const session = await open(notify);
    try {
      await session.query(`LISTEN ${CHANNEL}`);
      isListening = true;
      await poll();
      await whenAborted(AbortSignal.any([session.lost, ending.signal]));
      lastHeardMs = performance.now();
    } finally {
      isListening = false;
      await session.close();
    }
  };
  const keepListening = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await listen().catch(() => undefined); // the database is unavailable: tried again
      await pause(RECONNECT_MS);
    }
  };
  const keepPolling = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await pause(POLL_MS);
      if (!isListening && !ending.signal.aborted) await poll().catch(() => undefined);
    }
  };
  let running: Promise<unknown> | undefined;
  return {
    onChange: (report) => {
      const own = (id: string): void => report(id);
      reports.add(own);
      running ??= Promise.all([keepListening(), keepPolling()]);
      return () => void reports.delete(own);
    },
    close: async () => {
      ending.abort();
      await running;
    },
  };
};

export interface PostgresOptions {
  /** Default: `api`, which reads and writes secrets of clients. */
  readonly role?: StoreRole;
  /** Largest number of connections for statements; up to three more keep locks and subscriptions. Default: 10. */
  readonly poolSize?: number;
  /** Time without a heartbeat after which another worker may claim a task. Default: 45 s. */
  readonly silentMs?: number;
  readonly limits?: TimeLimits;
  readonly log: Log;
}

const POOL_SIZE = 10;
const SILENT_MS = 45_000;
/** An elected process that does nothing for this time, not even test its connection, is replaced. */
const ELECTED_IDLE_MS = 20_000;

/**
 * Task records in PostgreSQL, for any number of processes.
 *
 * Creates or updates the tables first. Deletions remove secrets from the records; the server keeps the old versions of
 * rows until its automatic vacuum, and its write-ahead log and backups for longer.
 *
 * Needs connections that stay with one server process: a pooler must pool sessions, not transactions.
 *
 * @param url `postgres://…`; TLS by its parameters `sslmode=verify-full` and `sslrootcert=FILE`
 * @throws StartProblem, StoreUnavailable
 */
export const openPostgresTaskStore = async (
  url: string,
  { role = 'api', poolSize = POOL_SIZE, silentMs = SILENT_MS, limits = TIME_LIMITS, log }: PostgresOptions,
): Promise<SharedTaskStore> => {
  await migrate(url);
  const database = connect(url, poolSize, limits);
  const open = (options: Partial<SessionOptions> = {}) => openSession({ url, limits, ...options });
  const keys = createSharedKeys(database, open);
  const changes = createChanges(database, (onNotification) => open({ onNotification }));
  const elections = createElections(() => open({ idleLimitMs: ELECTED_IDLE_MS }), log);
  const close = async (): Promise<void> => {
    await elections.close();
    await Promise.all([changes.close(), keys.close()]);
    await database.close();
  };
  let closing: Promise<void> | undefined;
  return {
    subjects: createSubjects(database),
    ...createTaskTable(database, role, silentMs),
    ...createClaims(database, role, silentMs),
    ...createEdits(database, role, silentMs),
    ...createLostClaims(database, role),
    ...createDueTasks(database),
    ...createFilesInDoubt(database),
    ...createSweeps(database),
    ...createSegments(database, role, silentMs),
    findByKey: keys.findByKey,
    exclusively: keys.exclusively,
    workCounts: () => countWork(database),
    onChange: changes.onChange,
    whenElected: elections.whenElected,
    close: () => (closing ??= close()),
  };
};
