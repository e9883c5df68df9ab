import type { Page } from '@playwright/test';

/** Smaller shifts come from the rendering of letters. */
const MIN_SHIFT = 0.0005;

type Watched = typeof globalThis & { shifts: string[] };

/** Runs in the page before its scripts. */
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

/** Records layout shifts from the first paint on. */
export const watchShifts = async (page: Page): Promise<void> =>
  void (await page.addInitScript(watch, MIN_SHIFT));

/** The shifts up to now, with their scores and elements. @see https://web.dev/articles/cls */
export const readShifts = async (page: Page): Promise<readonly string[]> => {
  // The browser reports a shift one frame later.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return page.evaluate(() => (globalThis as Watched).shifts);
};
