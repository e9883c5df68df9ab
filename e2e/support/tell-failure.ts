import type { BrowserContext, Page, TestInfo } from '@playwright/test';

/** Time limit for a page that does not answer any more. */
const READ_LIMIT_MS = 5_000;
const MAX_TEXT = 600;
/** Number of logged errors that are shown, a line each: a whole run shows a few lines of an error. */
const MAX_LOGGED = 6;

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT);

const textOf = async (page: Page): Promise<string> => {
  const text = await page
    .locator('body')
    .innerText({ timeout: READ_LIMIT_MS })
    .catch(() => 'a page that does not answer');
  return `${page.url()}: ${inOneLine(text)}`;
};

/**
 * Runs a test, and adds to its failure what its pages log and show.
 *
 * For a failure that does not repeat, the log is often all there is.
 */
export const tellFailure = async (
  context: BrowserContext,
  info: TestInfo,
  run: () => Promise<void>,
): Promise<void> => {
  const logged: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  context.on('weberror', (error) => logged.push(String(error.error())));
  await run();
  if (info.status === info.expectedStatus) return;
  const shown = await Promise.all(context.pages().map(textOf));
  throw new Error(
    [
      'Logged by the pages:',
      ...logged.slice(-MAX_LOGGED).map(inOneLine),
      'Shown by the pages:',
      ...shown,
    ].join('\n'),
  );
};
