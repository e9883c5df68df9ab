declare const self: ServiceWorkerGlobalScope;

/** A page that is loaded again has claimed its folder by then. */
const RELOAD_MS = 10_000;

/**
 * Removes what a tab had on disk, unless the tab is back.
 *
 * A page cannot tell a reload from its end; this worker outlives it, and sees whether its lock is taken again. Where
 * the browser as a whole has ended, the next page that is opened removes the folder.
 */
export const removeFolder = async (name: string): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
  await self.navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const root = await self.navigator.storage.getDirectory();
    await root.removeEntry(name, { recursive: true }).catch(() => undefined); // it may be gone, or never been made
  });
};
