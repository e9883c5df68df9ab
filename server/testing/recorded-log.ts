import type { Log } from '#shared/ports/system';

/** A log in memory. */
export interface RecordedLog {
  readonly log: Log;
  /** Messages, with the message of the error if there is one. */
  readonly lines: string[];
}

export const recordLog = (): RecordedLog => {
  const lines: string[] = [];
  const log: Log = {
    info: (message) => lines.push(message),
    error: (message, cause) => lines.push(cause instanceof Error ? `${message} ${cause.message}` : message),
  };
  return { log, lines };
};
