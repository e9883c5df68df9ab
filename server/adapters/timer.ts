import type { Timer } from '#shared/ports/system';

export const timer = {
  after: (delayMs, work) => {
    const timeout = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timeout);
  },
} satisfies Timer;
