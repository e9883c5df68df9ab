import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installByApt, runToGet } from './install-by-apt';

/** The first one has no window: it needs a third less processor time for each page. */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Time limit: Playwright retries an unreachable download, and a machine without a network must not wait for it. */
const DOWNLOAD_LIMIT_MS = 240_000;

const NO_CHROMIUM =
  'No Chromium: set CHROME_PATH to one, or run `npx playwright install chromium` where its download is reachable.';

const candidatePaths = (): readonly string[] => [...INSTALLED, chromium.executablePath()];

/**
 * Returns the path of the Chromium that tests and benchmarks start: `CHROME_PATH`, or else the first candidate that
 * exists.
 *
 * Never throws, because configuration files call it: static checks load them on machines without a browser.
 *
 * @returns undefined if none is installed; `CHROME_PATH` even if that file does not exist
 */
export const chromiumPath = (candidates = candidatePaths()): string | undefined =>
  process.env['CHROME_PATH'] || candidates.find((path) => existsSync(path));

/**
 * Returns the same path, checked just before a browser starts.
 *
 * @throws with a sentence that explains what to do, if no Chromium is installed or `CHROME_PATH` names no file
 */
export const requireChromium = (candidates = candidatePaths()): string => {
  const path = chromiumPath(candidates);
  if (path === undefined) throw new Error(NO_CHROMIUM);
  if (!existsSync(path)) throw new Error(`CHROME_PATH names no file: ${path}`);
  return path;
};

const download = (): boolean =>
  runToGet(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'install', 'chromium'],
    DOWNLOAD_LIMIT_MS,
  );

/** Returns an installed Chromium, or installs one: by Playwright, or by apt for root on Debian. */
export const findChromium = (): string => {
  if (chromiumPath() !== undefined) return requireChromium();
  console.log('No Chromium on this machine; getting one.');
  // Not every system has the first package.
  const byApt = ['chromium-headless-shell', 'chromium'].map((name) => () => installByApt(name));
  for (const get of [download, ...byApt]) {
    const got = get() && chromiumPath();
    if (got) return got;
  }
  throw new Error(NO_CHROMIUM);
};
