import { type Browser, test as base, type Page } from '@playwright/test';
import type { Send } from '#shared/testing/conformance';
import { keepContexts } from './kept-contexts';
import { sendByHttp, sendInPage } from './send';
import { tellFailure } from './tell-failure';

/** The hosts of the API. */
export const HOSTS = ['server', 'page'] as const;
export type Host = (typeof HOSTS)[number];

/** Address of the shared server with the default models, for single tests of a file whose other tests need none. */
export const DEFAULT_ORIGIN = process.env['VEIL_E2E_ORIGIN'];

const OPEN_LIMIT_MS = 90_000;

/** Opens the page and waits until it answers the API itself. */
export const openPage = async (page: Page, origin: string): Promise<void> => {
  await page.goto(origin, { timeout: OPEN_LIMIT_MS });
  await page.locator('html[data-api=page]').waitFor({ timeout: OPEN_LIMIT_MS });
};

/**
 * Sends requests in one page, which is opened for the first request and stays open, because it loads its models once.
 */
const sendInOnePage = (browser: Browser, origin: string): Send => {
  let opened: Promise<Page> | undefined;
  const open = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await openPage(page, origin);
    return page;
  };
  return async (request) => {
    opened ??= open();
    opened.catch(() => (opened = undefined));
    return sendInPage(await opened)(request);
  };
};

export interface Shared {
  /** Address of the server that all tests share. */
  readonly origin: string;
  readonly sendTo: Readonly<Record<Host, Send>>;
  /** Lends the contexts of the worker's browser. */
  readonly lendContext: ReturnType<typeof keepContexts>;
}

export interface Visit {
  /** Whether the browser has never seen the page. Otherwise it has stored the files of the page, and nothing else. */
  readonly isFirstVisit: boolean;
}

/** Tests that open the page, or send requests to the API of either host. */
export const test = base.extend<Visit, Shared>({
  isFirstVisit: [false, { option: true }],
  context: async ({ browser, isFirstVisit, lendContext, baseURL, locale, viewport }, use) => {
    if (!isFirstVisit) return lendContext({ baseURL, locale, viewport }, use);
    const context = await browser.newContext();
    await use(context);
    await context.close();
  },
  page: async ({ page }, use, info) => tellFailure(page.context(), info, () => use(page)),
  lendContext: [async ({ browser }, use) => use(keepContexts(browser)), { scope: 'worker' }],
  origin: [async ({}, use, info) => use(info.project.use.baseURL ?? ''), { scope: 'worker' }],
  sendTo: [
    async ({ browser, origin }, use) =>
      use({ server: sendByHttp(origin), page: sendInOnePage(browser, origin) }),
    { scope: 'worker' },
  ],
});
export { expect } from '@playwright/test';
