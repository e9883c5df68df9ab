import { chromiumPath } from './find-chromium';

/**
 * Options with which tests start Chromium. Without an installed Chromium there is no path, and `check-chromium.ts`
 * stops the tests.
 */
export const launchOptions = () => {
  const executablePath = chromiumPath();
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      // Requests of the browser itself would look like requests of the page, or wait for an unreachable network.
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings'],
      // A Chromium without a window places letters at whole pixels otherwise.
      '--font-render-hinting=none',
    ],
  };
};
