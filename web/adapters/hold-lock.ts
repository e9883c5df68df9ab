/**
 * Holds a lock until this page, or this worker, ends in whatever way: others then get it.
 *
 * @param signal ends the waiting for it
 * @returns when it is held
 */
export const holdLock = (name: string, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, signal ? { signal } : {}, () => {
        resolve();
        return new Promise(() => undefined);
      })
      .catch(reject);
  });

/** As `holdLock`, but without waiting. @returns false where somebody else holds it */
export const holdLockIfFree = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => undefined) : undefined;
      })
      .catch(reject);
  });
