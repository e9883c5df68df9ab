import type { Page } from '@playwright/test';

/** Times in ms after the start of the navigation. */
export interface LoadTimes {
  readonly paintMs: number;
  /** The button to select files exists. */
  readonly usableMs: number;
  /** The page is painted, and no long task blocks it for the next half second. */
  readonly interactiveMs: number;
  /** Models are loaded. */
  readonly readyMs: number;
  /** Total blocking time until the models are loaded: the sum of each long task's time beyond 50 ms. */
  readonly blockedMs: number;
  /** Cumulative layout shift; 0 if nothing moved. */
  readonly layoutShift: number;
}

interface Seen {
  usableMs: number;
  readyMs: number;
  layoutShift: number;
  readonly tasks: { readonly startMs: number; readonly endMs: number }[];
}

type Watched = typeof globalThis & { seen: Seen };

/** @see https://web.dev/articles/tbt */
const LONG_TASK_MS = 50;
const QUIET_MS = 500;

/** Runs in the page before its scripts. */
const watch = (): void => {
  const seen: Seen = { usableMs: 0, readyMs: 0, layoutShift: 0, tasks: [] };
  (globalThis as Watched).seen = seen;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      seen.tasks.push({ startMs: startTime, endMs: startTime + duration });
    }
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
      seen.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => {
    if (document.querySelector('[data-main-focus]')) seen.usableMs ||= performance.now();
    if (document.querySelector('[data-testid=engine][data-state=ready]')) seen.readyMs ||= performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });
};

export const watchTimes = async (page: Page): Promise<void> => void (await page.addInitScript(watch));

/** @returns the times up to now; models must be loaded */
export const readTimes = async (page: Page): Promise<LoadTimes> => {
  // The browser reports long tasks some time after their end.
  await page.waitForTimeout(QUIET_MS);
  const { seen, paintMs } = await page.evaluate(() => ({
    seen: (globalThis as Watched).seen,
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  }));
  let interactiveMs = Math.max(seen.usableMs, paintMs);
  for (const { startMs, endMs } of seen.tasks) {
    if (startMs < interactiveMs + QUIET_MS) interactiveMs = Math.max(interactiveMs, endMs);
  }
  const blockedMs = seen.tasks
    .filter(({ startMs }) => startMs < seen.readyMs)
    .reduce((sum, { startMs, endMs }) => sum + endMs - startMs - LONG_TASK_MS, 0);
  const { usableMs, readyMs, layoutShift } = seen;
  return { paintMs, usableMs, interactiveMs, readyMs, blockedMs, layoutShift };
};
