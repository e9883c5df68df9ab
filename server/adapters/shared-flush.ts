/**
 * Flushes to disk once for all who ask while an earlier flush still runs.
 *
 * Each waits for a flush that began after it asked, so that what it wrote before is in it.
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
