import type { Log } from '#shared/ports/system';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import { createSweeps } from './attempts';
import { createChanges } from './changes';
import { createClaims, createLostClaims, createEdits } from './claims';
import { connect, TIME_LIMITS, type TimeLimits, openSession, type SessionOptions } from './connect';
import { countWork, createDueTasks, createFilesInDoubt, createSubjects } from './due-work';
import { createElections, createSharedKeys } from './locks';
import { createImports, createTaskTable } from './task-table';
import { migrate } from './migrate';
import { createSegments } from './segments';
import type { StoreRole } from './locked-task';

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
    ...createImports(database),
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
