import pg from 'pg';
import { TIME_LIMITS } from './connect';
import { openSession } from './session';
import { asStartProblem } from './store-error';
import type { StoreRole } from './task-row';

const TABLES = ['tasks', 'attempts', 'files_in_doubt', 'counters', 'segments', 'subjects'].join(', ');

/** Columns of `tasks` that workers read. Not among them: the secrets of `task-row.ts`. */
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
export const grantStatements = (user: string, role: StoreRole): readonly string[] => {
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
