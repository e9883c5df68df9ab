/** Holds a lock until this worker ends, in whatever way: the page then gets it. Resolves when it is held. */
export const holdLock = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, () => {
        resolve();
        return new Promise(() => undefined);
      })
      .catch(reject);
  });
