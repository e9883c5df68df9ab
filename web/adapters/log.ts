import type { Log } from '#shared/ports/system';

/** Logs to the browser's console. Sends nothing. */
export const log = {
  info: (message, facts) => console.info(message, ...(facts ? [facts] : [])),
  error: (message, cause) => console.error(message, cause),
} satisfies Log;
