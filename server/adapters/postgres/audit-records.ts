import { ADVISORY_LOCKS, TIME_LIMITS, openSession } from './connect';
import { asStartProblem } from './store-error';

/** The records of a cluster, as `veil audit` reads them: on one connection, which also keeps API processes out. */
export interface AuditRecords {
  /** Ids of tasks, and of those whose files are being stored or removed. */
  taskIds(): Promise<readonly string[]>;
  /** Folders of results, of live claims, and of attempts that are removed later. */
  attempts(): Promise<readonly { readonly taskId: string; readonly folder: string }[]>;
  /** By the clock of the database, in milliseconds since the epoch. */
  nowMs(): Promise<number>;
  /**
   * Takes the office of the elected process until the end of the connection.
   *
   * @returns false if another process is elected, or uses the database at all
   */
  keepOthersOut(): Promise<boolean>;
  /** Aborts when the connection, and the office with it, is lost. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/** A migration, a backup or a person counts as well: it is better to ask once too often. */
const OTHERS = `SELECT count(*)::int AS sessions FROM pg_stat_activity
  WHERE datname = current_database() AND usename IS NOT NULL AND pid <> pg_backend_pid()`;

/** @throws StartProblem */
export const openAuditRecords = async (url: string): Promise<AuditRecords> => {
  const session = await openSession({ url, limits: TIME_LIMITS }).catch((error: unknown) => {
    throw asStartProblem(error);
  });
  const query: typeof session.query = (text, values) =>
    session.query<never>(text, values).catch((error: unknown) => {
      throw asStartProblem(error);
    });
  return {
    taskIds: async () => {
      const rows = await query<{ id: string }>(
        'SELECT id FROM tasks UNION SELECT task_id AS id FROM files_in_doubt',
      );
      return rows.map(({ id }) => id);
    },
    attempts: () =>
      query<{ taskId: string; folder: string }>(
        `SELECT id AS "taskId", unnest(array_remove(folders || token, NULL)) AS folder FROM tasks
         UNION SELECT task_id, token FROM attempts`,
      ),
    nowMs: async () => {
      const [row] = await query<{ now: number }>(
        'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
      );
      return row!.now;
    },
    keepOthersOut: async () => {
      const [lock] = await query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
        ...ADVISORY_LOCKS.election,
      ]);
      const [others] = await query<{ sessions: number }>(OTHERS);
      return lock!.held && others!.sessions === 0;
    },
    lost: session.lost,
    close: session.close,
  };
};
