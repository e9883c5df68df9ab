import type { Browser, BrowserContext, Page } from '@playwright/test';

/** Everything that a page stores, except its files for offline use and the service worker that serves them. */
const STORED_BY_VISIT = 'cookies,file_systems,indexeddb,local_storage,shader_cache,websql,storage_buckets';

const forgetVisit = async (context: BrowserContext, page: Page, origin: string): Promise<void> => {
  const devTools = await context.newCDPSession(page);
  // Leaves the page first, because it holds its files open.
  await page.goto('about:blank');
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORED_BY_VISIT });
  await page.close();
};

/** Closes all pages of a context, and removes what they have stored and set, so that the next visitor is a new one. */
const leave = async (context: BrowserContext): Promise<void> => {
  context.removeAllListeners();
  await context.unrouteAll();
  await context.setOffline(false);
  const origins = new Set(context.pages().map((page) => new URL(page.url()).origin));
  for (const page of context.pages()) await page.close();
  for (const origin of origins) {
    if (origin !== 'null') await forgetVisit(context, await context.newPage(), origin);
  }
};

/**
 * Lends contexts of a browser to one test after another.
 *
 * A context keeps the stored files of the page and their compiled code, so that it opens in a third of the processor
 * time of a first visit. Nothing else of a test is left.
 */
export const keepContexts = (browser: Browser) => {
  const contexts = new Map<string, Promise<BrowserContext>>();
  /** @param options all options of the context that tests set differently */
  return async (options: object, use: (context: BrowserContext) => Promise<void>): Promise<void> => {
    const key = JSON.stringify(options);
    const context = contexts.get(key) ?? browser.newContext();
    contexts.set(key, context);
    await use(await context);
    await leave(await context);
  };
};
