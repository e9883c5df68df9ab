import { RELOAD_MS } from './protocol';

declare const self: ServiceWorkerGlobalScope;

/** A page lets its lock go before it is known here that it was left. */
const NEWS_MS = 1_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often each tab has been left. */
const leaves = new Map<string, number>();

const removeUnlessBack = async (name: string, leave: number): Promise<void> => {
  await after(NEWS_MS);
  if (leaves.get(name) !== leave) return;
  const root = await self.navigator.storage.getDirectory();
  await root.removeEntry(name, { recursive: true }).catch(() => undefined); // it may be gone, or never been made
  leaves.delete(name);
};

/**
 * A tab was left: removes what it had on disk, unless that is kept or the tab is back.
 *
 * A page cannot tell a reload from its end; this worker outlives it, and sees whether its lock is taken again. The lock
 * is free as well while a tab goes from one page to the next: only the last time that it was left counts. Where the
 * browser as a whole has ended, the next page that is opened removes the folder.
 */
export const noteLeft = async (name: string, isKept: boolean): Promise<void> => {
  const leave = (leaves.get(name) ?? 0) + 1;
  leaves.set(name, leave);
  if (isKept) return;
  await after(RELOAD_MS);
  await self.navigator.locks.request(name, { ifAvailable: true }, (lock) =>
    lock ? removeUnlessBack(name, leave) : undefined,
  );
};
