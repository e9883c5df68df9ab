import { setTimeout as delay } from 'node:timers/promises';

/** A step of the queue did not end in time. */
class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The result of a promise, if it comes in time. A later failure is ignored. @throws what it rejects with, TooSlow */
export const within = async <T>(limitMs: number, promise: Promise<T>): Promise<T> => {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new TooSlow(`no answer within ${limitMs / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    promise.catch(() => undefined);
  }
};
