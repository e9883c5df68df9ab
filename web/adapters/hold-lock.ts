/**
 * Holds a lock until this page or worker ends in any way.
 *
 * @param signal cancels the wait for the lock
 * @returns when the lock is held
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

/** Like `holdLock`, but does not wait. @returns false if another page or worker holds the lock */
export const holdLockIfFree = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => undefined) : undefined;
      })
      .catch(reject);
  });
