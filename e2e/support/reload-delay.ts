import type { BrowserContext } from '@playwright/test';
import { RELOAD_MS } from '../../web/service-worker/protocol';

const SHORT_MS = 300;

/** Runs in a page or a service worker: shortens timers of exactly this delay. */
const shorten = ([longMs, shortMs]: readonly [number, number]): void => {
  const set = self.setTimeout.bind(self) as (run: () => void, ms?: number) => number;
  const shortened = (run: () => void, ms?: number): number => set(run, ms === longMs ? shortMs : ms);
  Object.defineProperty(self, 'setTimeout', { value: shortened, configurable: true });
};

/**
 * Shortens the delay after which pages and service workers remove the folders of closed tabs. Applies to pages opened
 * from now on and to running service workers. Only for tests that do not reload: a slow reload would look like a closed
 * tab.
 */
export const shortenReloadDelay = async (context: BrowserContext): Promise<void> => {
  const delays = [RELOAD_MS, SHORT_MS] as const;
  await context.addInitScript(shorten, delays);
  for (const worker of context.serviceWorkers()) await worker.evaluate(shorten, delays);
};
