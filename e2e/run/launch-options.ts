import { chromiumPath } from './find-chromium';

/** How tests start Chromium. Without a path where none is installed: `check-chromium.ts` refuses the start then. */
export const launchOptions = () => {
  const executablePath = chromiumPath();
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    // The browser's own errands would show up as requests of ours, or wait for a network that is not there.
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings'],
  };
};
