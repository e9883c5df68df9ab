import type { Log } from '#shared/ports/system';

/** The same message is logged again after this time: clients report each of their attempts to connect. */
const REPEAT_MS = 60_000;
const MAX_MESSAGES = 100;

/** Logs errors of the queue's clients. */
export type ReportError = (error: unknown) => void;

/**
 * Error without the properties that clients attach, such as the arguments of a command: they contain the password when
 * a login fails, and the log prints properties of errors.
 */
export const withoutProperties = (error: unknown): Error => {
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  // An error that tries several addresses has only a code.
  return new Error(message || (typeof code === 'string' ? code : 'unknown error'));
};

/** @returns a function that logs each message at most once a minute */
export const createReport = (log: Log): ReportError => {
  const loggedAtMs = new Map<string, number>();
  return (error) => {
    const cause = withoutProperties(error);
    const nowMs = Date.now();
    if (nowMs - (loggedAtMs.get(cause.message) ?? -Infinity) < REPEAT_MS) return;
    if (loggedAtMs.size >= MAX_MESSAGES) loggedAtMs.clear();
    loggedAtMs.set(cause.message, nowMs);
    log.error('The work queue reports an error.', cause);
  };
};
