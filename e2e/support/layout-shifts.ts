import type { Page } from '@playwright/test';

/** Less is the way that a letter is drawn, not where. */
const MIN_SHIFT = 0.0005;

type Watched = typeof globalThis & { shifts: string[] };

/** Runs in the page before any script of its own. */
const watch = (min: number): void => {
  const shifts: string[] = [];
  (globalThis as Watched).shifts = shifts;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
      const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent));
      if (value >= min) shifts.push(`${value.toFixed(4)}: ${moved.join(' | ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Notes what moves by itself from the first paint on. */
export const watchShifts = async (page: Page): Promise<void> =>
  void (await page.addInitScript(watch, MIN_SHIFT));

/** What has moved up to now, and by how much. @see https://web.dev/articles/cls */
export const readShifts = async (page: Page): Promise<readonly string[]> => {
  // Told a frame later than it happens.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return page.evaluate(() => (globalThis as Watched).shifts);
};
