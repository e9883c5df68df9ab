import { RELOAD_MS } from './protocol';

declare const self: ServiceWorkerGlobalScope;

/** Time in which a report of `handleClosedTab` can arrive after the page has released its lock. */
const NEWS_MS = 1_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often a lock is asked for: a busy machine may end a page only after the time for a reload. */
const MAX_ASKS = 5;

/** Number of times that each tab has been left. */
const leaves = new Map<string, number>();

const removeUnlessBack = async (name: string, leave: number): Promise<void> => {
  await after(NEWS_MS);
  if (leaves.get(name) !== leave) return;
  const root = await self.navigator.storage.getDirectory();
  await root.removeEntry(name, { recursive: true }).catch(() => undefined); // it may not exist
  leaves.delete(name);
};

const removeWhenFree = async (name: string, leave: number, ask = 1): Promise<void> => {
  const wasFree = await self.navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await removeUnlessBack(name, leave);
    return lock !== null;
  });
  if (wasFree || ask === MAX_ASKS || leaves.get(name) !== leave) return;
  await after(NEWS_MS);
  await removeWhenFree(name, leave, ask + 1);
};

/**
 * Removes a tab's folder after its page was left, unless the folder is kept or the tab is back.
 *
 * A page cannot distinguish a reload from its end. This worker outlives the page and checks whether the lock of the
 * folder is held again. The lock is also free while the tab loads another page, so only the last report of a tab
 * counts. If the whole browser has ended, the next page removes the folder.
 */
export const handleClosedTab = async (name: string, isKept: boolean): Promise<void> => {
  const leave = (leaves.get(name) ?? 0) + 1;
  leaves.set(name, leave);
  if (isKept) return;
  await after(RELOAD_MS);
  await removeWhenFree(name, leave);
};
