import pg from 'pg';
import { StoreUnavailable } from '#shared/tasks/base/job-store';
import { StartProblem } from '../../cli/start-problem';

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
  '42704': 'The database user that should get rights does not exist: create it with CREATE USER.',
  '42501':
    'The database user may not create or use the tables of Veil: run veil migrate as the owner of the database.',
};

/** Errors of Node for certificates, such as DEPTH_ZERO_SELF_SIGNED_CERT and ERR_TLS_CERT_ALTNAME_INVALID. */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY/;
const UNTRUSTED =
  'The certificate of the database is not trusted: name its authority in the URL of --database (sslrootcert=FILE).';
const UNREADABLE_FILE = 'A certificate file in the URL of --database cannot be read.';
const NO_TLS = 'The database offers no TLS, which the URL of --database requires.';
const INVALID = 'The URL of --database is invalid: it begins with postgres://.';

const sentenceOf = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return START_PROBLEMS[error.code ?? ''];
  if (error instanceof TypeError) return error.message === 'Invalid URL' ? INVALID : undefined;
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as NodeJS.ErrnoException;
  if (cause.message === 'The server does not support SSL connections') return NO_TLS;
  if (cause.code === 'ENOENT' || cause.code === 'EACCES') {
    return cause.syscall === 'open' ? UNREADABLE_FILE : undefined;
  }
  return CERTIFICATE.test(cause.code ?? '') ? UNTRUSTED : undefined;
};

/** Refusals that the operator can resolve, as sentences. The URL is not part of them, because it contains a password. */
export const asStartProblem = (error: unknown): unknown => {
  const sentence = sentenceOf(error);
  return sentence === undefined ? error : new StartProblem(sentence, { cause: error });
};
