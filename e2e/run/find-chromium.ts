import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installByApt, runToGet } from './install-by-apt';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Playwright retries a download that goes nowhere; a machine that is cut off must not wait for it. */
const DOWNLOAD_LIMIT_MS = 240_000;

export const NO_CHROMIUM =
  'No Chromium: set CHROME_PATH to one, or run `npx playwright install chromium` where its download is reachable.';

/**
 * The Chromium that tests and the benchmark drive.
 *
 * @returns its path, or undefined where none is installed
 * @throws if `CHROME_PATH` names no file: a wish that cannot be met is not passed over
 */
export const installedChromium = (): string | undefined => {
  const wished = process.env['CHROME_PATH'];
  if (wished) {
    if (!existsSync(wished)) throw new Error(`CHROME_PATH names no file: ${wished}`);
    return wished;
  }
  return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path));
};

const download = (): boolean =>
  runToGet(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'install', 'chromium'],
    DOWNLOAD_LIMIT_MS,
  );

/** Finds a Chromium or gets one: from Playwright, or, for root on Debian, by apt. */
export const findChromium = (): string => {
  const found = installedChromium();
  if (found) return found;
  console.log('No Chromium on this machine; getting one.');
  for (const get of [download, () => installByApt('chromium')]) {
    const got = get() && installedChromium();
    if (got) return got;
  }
  throw new Error(NO_CHROMIUM);
};
