import { StartProblem } from '../../cli/start-problem';
import { TIME_LIMITS, type Sql, openSession, ADVISORY_LOCKS } from './connect';
import { MIGRATIONS, type Migrations } from './migrations';
import { asStartProblem } from './store-error';
import pg from 'pg';
import type { StoreRole } from './locked-task';

const TABLES = ['tasks', 'attempts', 'files_in_doubt', 'counters', 'segments', 'subjects'].join(', ');

/** Columns of `tasks` that workers read. Not among them: the secrets of `locked-task.ts`. */
const READ_BY_WORKERS = [
  'id, arrival, record, kind, status, attempts, settings, changed_at, work, is_urgent, job_number, waiting_since',
  'token, worker, heartbeat_at, folders, wanted, edit_version, edit_attempts, webhook_due_at_ms, webhook_leased_until',
  'has_webhook_target',
].join(', ');
/** Columns of `tasks` that workers change. */
const CHANGED_BY_WORKERS = [
  'record, kind, status, attempts, ended_at_ms, changed_at, work, is_urgent, job_number, waiting_since',
  'token, worker, heartbeat_at, folders, wanted, edit_version, edit_attempts, webhook_due_at_ms, webhook_leased_until',
].join(', ');

const GRANTS = {
  api: [`SELECT, INSERT, UPDATE, DELETE ON ${TABLES}`, 'SELECT ON veil_schema'],
  worker: [
    `SELECT (${READ_BY_WORKERS}), UPDATE (${CHANGED_BY_WORKERS}) ON tasks`,
    'SELECT, INSERT, UPDATE, DELETE ON attempts',
    'SELECT, INSERT, UPDATE, DELETE ON segments',
    'SELECT, INSERT ON files_in_doubt',
    'SELECT, UPDATE ON counters',
    'SELECT ON subjects',
    'SELECT ON veil_schema',
  ],
} as const satisfies Record<StoreRole, readonly string[]>;

/**
 * Statements that give a database user exactly the rights of its role, on tables that exist.
 *
 * A worker, which decodes files of strangers, can claim and complete tasks, but neither add nor delete any, nor read
 * addresses and headers of webhooks or idempotency keys. Notifications and advisory locks need no rights in PostgreSQL.
 *
 * @param user name of an existing database user
 */
const grantStatements = (user: string, role: StoreRole): readonly string[] => {
  const to = pg.escapeIdentifier(user);
  return [
    `REVOKE ALL ON ${TABLES}, veil_schema FROM ${to}`,
    ...GRANTS[role].map((rights) => `GRANT ${rights} TO ${to}`),
  ];
};

/** Runs {@link grantStatements} as the owner of the tables. @throws StartProblem, StoreUnavailable */
export const applyGrants = async (url: string, user: string, role: StoreRole): Promise<void> => {
  const session = await openSession({ url, limits: TIME_LIMITS }).catch((error: unknown) => {
    throw asStartProblem(error);
  });
  try {
    await session.query(grantStatements(user, role).join(';\n'));
  } catch (error) {
    throw asStartProblem(error);
  } finally {
    await session.close();
  }
};

/** PostgreSQL 14, for `idle_session_timeout`. */
const MIN_SERVER_VERSION = 140_000;
/** A migration of many records may take long; nothing waits for it but starting processes. */
const MIGRATION_MS = 600_000;

interface SchemaVersion {
  readonly version: number;
  /** See `Migration`. */
  readonly minCompatible: number;
}

const versionOf = async (sql: Sql): Promise<SchemaVersion> => {
  const [server] = await sql.query<{ server: number; has_tables: boolean }>(
    `SELECT current_setting('server_version_num')::int AS server, to_regclass('veil_schema') IS NOT NULL AS has_tables`,
  );
  if (server!.server < MIN_SERVER_VERSION) throw new StartProblem('Veil needs PostgreSQL 14 or later.');
  if (!server!.has_tables) return { version: 0, minCompatible: 0 };
  const [row] = await sql.query<SchemaVersion>(
    'SELECT version, min_compatible AS "minCompatible" FROM veil_schema',
  );
  return row!;
};

const newestOf = (migrations: Migrations): Migrations[number] => migrations.at(-1)!;

const refuseIncompatible = ({ version, minCompatible }: SchemaVersion, migrations: Migrations): void => {
  if (version > 0 && version < migrations[0].version) {
    throw new StartProblem(
      'The tables in the database were made by an earlier version of Veil and cannot be read: use an empty database.',
    );
  }
  if (minCompatible <= newestOf(migrations).version) return;
  throw new StartProblem(
    'The tables in the database were changed by a later version of Veil: start that version instead.',
  );
};

const run = async (sql: Sql, before: SchemaVersion, migrations: Migrations): Promise<void> => {
  await sql.query(
    'CREATE TABLE IF NOT EXISTS veil_schema (version integer NOT NULL, min_compatible integer NOT NULL)',
  );
  for (const migration of migrations) {
    if (migration.version > before.version) await sql.query(migration.sql);
  }
  await sql.query('DELETE FROM veil_schema');
  const { version, minCompatible } = newestOf(migrations);
  await sql.query('INSERT INTO veil_schema (version, min_compatible) VALUES ($1, $2)', [
    version,
    minCompatible,
  ]);
};

/**
 * Creates the tables, or changes them to this version. One process at a time does so, in one transaction.
 *
 * Tables of a later version are accepted if that version still supports programs of this one. Needs no rights to
 * create anything if the tables are up to date.
 *
 * @returns whether anything was changed
 * @throws StartProblem, StoreUnavailable
 */
export const migrate = async (url: string, migrations: Migrations = MIGRATIONS): Promise<boolean> => {
  const session = await openSession({ url, limits: { ...TIME_LIMITS, statementMs: MIGRATION_MS } }).catch(
    (error: unknown) => {
      throw asStartProblem(error);
    },
  );
  try {
    const current = await versionOf(session);
    refuseIncompatible(current, migrations);
    const { version } = newestOf(migrations);
    if (current.version >= version) return false;
    // Before the transaction, which would not notice tables that were created while it waited.
    await session.query('SELECT pg_advisory_lock($1, $2)', ADVISORY_LOCKS.migration);
    await session.query('BEGIN');
    const locked = await versionOf(session); // another process may have migrated while this one waited
    refuseIncompatible(locked, migrations);
    if (locked.version < version) await run(session, locked, migrations);
    await session.query('COMMIT');
    return locked.version < version;
  } catch (error) {
    throw asStartProblem(error);
  } finally {
    await session.close();
  }
};
