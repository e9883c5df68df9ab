import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, levels A and AA. */
const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};
const THEMES = ['light', 'dark'] as const;

/** Violations that axe reports for the page in its current state, in both themes. */
export const violations = async (page: Page): Promise<string[]> => {
  // Colours must not be measured during a transition.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    const results = await page.evaluate(
      (rules) => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(rules),
      RULES,
    );
    for (const { id, nodes } of results.violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${colorScheme}: ${id}: ${html} ${failureSummary}`);
      }
    }
  }
  return found;
};
