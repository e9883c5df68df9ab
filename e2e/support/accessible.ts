import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, levels A and AA. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Those about colours, in which alone the themes differ. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const THEMES = { light: ALL_RULES, dark: COLOUR_RULES } as const;

/** Ends transitions that began before: a running one goes on when reduced motion is asked for. */
const endTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish();
    }
  });

/** Violations that axe reports for the page in its current state, in both themes. */
export const violations = async (page: Page): Promise<string[]> => {
  // Colours must not be measured during a transition.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found: string[] = [];
  for (const [colorScheme, runOnly] of Object.entries(THEMES)) {
    await page.emulateMedia({ colorScheme: colorScheme as keyof typeof THEMES });
    await endTransitions(page);
    const rules: RunOptions = { runOnly: [...runOnly], resultTypes: ['violations'] };
    const results = await page.evaluate(
      (options) =>
        (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
      rules,
    );
    for (const { id, nodes } of results.violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${colorScheme}: ${id}: ${html} ${failureSummary}`);
      }
    }
  }
  return found;
};
