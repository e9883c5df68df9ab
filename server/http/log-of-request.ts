import type { Log } from '#shared/ports/system';

/** A log whose every line names the request that it is about. */
export const logOfRequest = (log: Log, requestId: string): Log => ({
  info: (message, facts) => log.info(message, { ...facts, requestId }),
  error: (message, cause, facts) => log.error(message, cause, { ...facts, requestId }),
});
