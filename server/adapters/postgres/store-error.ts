import pg from 'pg';
import { StartProblem } from '../../cli/start-problem';
import { StoreUnavailable } from '../../cluster/shared-task-store';

/**
 * Codes of errors that pass: lost connections (08), no resources (53), shutdown and time limits (57), disk (58), a
 * server that has become a standby, a transaction that was ended, serialisation, deadlock, lock not available.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(?:08|53|57|58|25006|25P03|40001|40P01|55P03)/;

/**
 * An error of `pg` as an error of the store.
 *
 * Errors without an SQL code come from the connection: refused, reset, no answer in time.
 */
export const asStoreError = (error: unknown): unknown => {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : undefined;
  if (error instanceof TypeError || (code !== undefined && !PASSING.test(code))) return error;
  return new StoreUnavailable('The database cannot be reached, or does not answer in time.', {
    cause: error,
  });
};

const START_PROBLEMS: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the password: correct the URL of --database.',
  '28000':
    'The database refuses this user: correct the URL of --database, or the permissions of the database.',
  '3D000': 'The database does not exist: create it, or correct the URL of --database.',
  '42501':
    'The database user may not create or use the tables of Veil: run veil migrate as the owner of the database.',
};

/** Refusals that the operator can resolve, as sentences. The URL is not part of them, because it contains a password. */
export const asStartProblem = (error: unknown): unknown => {
  const sentence = error instanceof pg.DatabaseError ? START_PROBLEMS[error.code ?? ''] : undefined;
  return sentence === undefined ? error : new StartProblem(sentence, { cause: error });
};
