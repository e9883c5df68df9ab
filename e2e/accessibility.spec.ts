import type { Page } from '@playwright/test';
import { violations } from './support/accessible';
import { drop, jpegFile, openApp, selectServer, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { tinySample } from './support/samples';

const PHOTO = 'street.jpg';

// All other views: `views.spec.ts`.
test('the server banner meets the machine-checkable rules of WCAG 2.2 AA in both themes', async ({
  page,
}) => {
  await openApp(page);
  await selectServer(page);
  expect(await violations(page)).toEqual([]);
});

/** Names of header elements that overlap the next one or leave the screen. */
const collisions = (page: Page): Promise<string[]> =>
  page.locator('header').evaluate((header) => {
    const parts = [...header.children]
      .filter((part) => getComputedStyle(part).position !== 'fixed' && part.getClientRects().length > 0)
      .map((part) => {
        const { left, width } = part.getBoundingClientRect();
        return {
          name: part.textContent || part.tagName,
          left,
          right: left + Math.max(width, part.scrollWidth),
        };
      });
    return parts
      .filter(({ right }, i) => right > (parts[i + 1]?.left ?? innerWidth) + 1)
      .map(({ name }) => name);
  });

test('all header elements fit on the narrowest phones, in each language', async ({ browser, origin }) => {
  // Playwright cannot delay requests of a service worker.
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await context.route('**/models/*.onnx', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(origin);
  const engine = page.getByTestId('engine');
  const language = page.getByRole('banner').getByRole('combobox');
  const check = async (state: string): Promise<void> => {
    await expect(engine).toHaveAttribute('data-state', state);
    for (const code of ['de', 'en']) {
      await language.selectOption(code);
      for (const width of [320, 360, 375, 390, 412, 430, 640]) {
        await page.setViewportSize({ width, height: 700 });
        expect(await collisions(page), `${state}, ${code}, ${width} px`).toEqual([]);
      }
    }
  };
  await check('loading');
  release();
  await expect(engine).toHaveAttribute('data-state', 'ready', { timeout: 90_000 });
  await check('ready');
  await context.close();
});

/** Presses Tab until an element with this name has the focus. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> | null };
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};

test('an image can be selected, compared, blackened and saved by keyboard alone', async ({ page }) => {
  // Asked for before the page opens: the browser may open a dialog of its own before it is told otherwise.
  const chooser = page.waitForEvent('filechooser');
  await openApp(page);
  await tabTo(page, /^Choose files$/);
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: PHOTO, mimeType: 'image/jpeg', buffer: await tinySample(1) });
  await waitForStatus(page, PHOTO, 'done');

  // The first screen is gone, and the stage has the focus.
  await expect(page.getByTestId('stage')).toBeFocused();
  await page.keyboard.press('b');
  await expect(page.getByTestId('box').first()).toBeVisible();
  const divider = page.getByRole('slider', { name: 'Divider between original and result' });
  await expect(divider).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(divider).toBeFocused();
  await page.keyboard.press('Home');
  await expect(divider).toHaveAttribute('aria-valuenow', '0');

  await tabTo(page, /^Blur$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  // The button is disabled during rendering, and Tab skips disabled buttons.
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();
  await tabTo(page, /^Download$/);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('street-anonymised.jpg');
});

test('screen readers get a list of the detected objects', async ({ page }) => {
  await openApp(page);
  await drop(page, [jpegFile(PHOTO, await tinySample(1))]);
  await waitForStatus(page, PHOTO, 'done');
  const objects = page.getByRole('list', { name: 'Detected objects' }).getByRole('listitem');
  await expect(objects).toHaveCount(3);
  await expect(objects.first()).toHaveText(/^Face \d+%, \d+% from the left, \d+% from the top$/);
});

test.describe('in a browser with German as its language', () => {
  test.use({ locale: 'de-DE' });

  test('the page appears in German, and remembers the selection of English', async ({ page }) => {
    await openApp(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('button', { name: 'Dateien auswählen' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  });
});
