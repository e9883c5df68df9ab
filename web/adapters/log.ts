import type { Log } from '#shared/ports/log';

/** The browser's console: nothing is sent anywhere. */
export const log = {
  info: (message, facts) => console.info(message, ...(facts ? [facts] : [])),
  error: (message, cause) => console.error(message, cause),
} satisfies Log;
