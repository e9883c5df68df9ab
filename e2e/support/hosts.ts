import { test as base, type Page } from '@playwright/test';
import { type Send, sendByHttp, sendInPage } from './send';

/** Both places that answer the API. */
export const HOSTS = ['server', 'page'] as const;
export type Host = (typeof HOSTS)[number];

/** Opens the page and waits until it answers the API itself. */
export const openPage = async (page: Page, origin: string): Promise<void> => {
  await page.goto(origin);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};

interface Shared {
  /** Address of the server that all tests share. */
  readonly origin: string;
  /** Stays open from test to test, as its models are loaded once. */
  readonly apiPage: Page;
  readonly sendTo: Readonly<Record<Host, Send>>;
}

/** Tests that speak to the API of one host or the other. */
export const test = base.extend<object, Shared>({
  origin: [
    // Playwright reads the names of what a fixture needs from this pattern.
    async ({}, use, info) => use(info.project.use.baseURL ?? ''),
    { scope: 'worker' },
  ],
  apiPage: [
    async ({ browser, origin }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openPage(page, origin);
      await use(page);
      await context.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  sendTo: [
    async ({ origin, apiPage }, use) => use({ server: sendByHttp(origin), page: sendInPage(apiPage) }),
    { scope: 'worker' },
  ],
});
export { expect } from '@playwright/test';
