/** @returns when the lock is held; false if it is not free and the options ask not to wait */
const hold = (name: string, options: LockOptions): Promise<boolean> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, options, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => undefined) : undefined;
      })
      .catch(reject);
  });

/** Holds a lock until this page or worker ends in any way. @param signal cancels the wait for the lock */
export const holdLock = (name: string, signal?: AbortSignal): Promise<boolean> =>
  hold(name, signal ? { signal } : {});

/** Like `holdLock`, but does not wait. @returns false if another page or worker holds the lock */
export const holdLockIfFree = (name: string): Promise<boolean> => hold(name, { ifAvailable: true });
