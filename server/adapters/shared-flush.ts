/**
 * Flushes to disk once for all callers that ask while an earlier flush still runs.
 *
 * Each caller waits for a flush that began after its call, so that the flush includes what the caller wrote before.
 */
export const sharedFlush = (sync: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return sync();
      });
    last = next;
    return next;
  };
};
