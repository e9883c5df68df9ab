import type { Page } from '@playwright/test';
import { german } from '../web/app/messages/de';
import { violations } from './support/accessible';
import { expect, test } from './support/hosts';
import { visitViews } from './support/views';

const NARROW = { width: 390, height: 844 };

/** Texts that end in an ellipsis or run out of the screen. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (element: HTMLElement): boolean =>
      element.childElementCount === 0 &&
      element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).overflowX === 'hidden' &&
      element.clientWidth > 1;
    const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter(isCut);
    const isTooWide = document.documentElement.scrollWidth > innerWidth;
    return [...cut.map((element) => element.innerText), ...(isTooWide ? ['the page'] : [])];
  });

test.use({ locale: 'de-DE' });
// A dozen views, each in two themes and on two screens.
test.slow();

test(
  'every view in German meets WCAG 2.2 AA in both themes, and no text is cut off, on a phone either',
  { tag: '@slow' },
  async ({ page }) => {
    await visitViews(page, german, async (view) => {
      expect.soft(await violations(page), view).toEqual([]);
      const wide = page.viewportSize();
      for (const size of [wide, NARROW]) {
        if (size) await page.setViewportSize(size);
        expect.soft(await cutTexts(page), `${view}, ${size?.width} px`).toEqual([]);
      }
      if (wide) await page.setViewportSize(wide);
    });
  },
);
