import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { german } from '../web/app/messages/de';
import { english, type Messages } from '../web/app/messages/en';
import { drop, jpegFile, openApp, waitForStatus } from './support/app';
import { DEFAULT_ORIGIN, expect, test } from './support/hosts';
import { meanDifference, readPixels } from './support/pixels';

const DOCUMENTS = join(import.meta.dirname, '../docs');
const FOLDER = join(DOCUMENTS, 'use/images');
const PHOTO = 'sample.jpg';
/** Letters and scaled photos differ between browsers, and vanish in the mean of so many pixels. */
const REDUCED_WIDTH = 160;
/** Mean difference of a reduced image, 0..255: a missing button or another text exceeds it. */
const SAME = 1;

const reduced = async (image: Uint8Array) =>
  readPixels(await sharp(image).resize({ width: REDUCED_WIDTH }).png().toBuffer());

/** Writes an image of the guide (`-u`), or compares it with the page. */
const check = async (part: Page | Locator, name: string): Promise<void> => {
  const path = join(FOLDER, `${name}.webp`);
  // Compared as it is stored: the format shifts colours a little.
  const screen = await sharp(await part.screenshot({ animations: 'disabled', caret: 'hide' }))
    .webp({ quality: 80, effort: 6 })
    .toBuffer();
  if (['all', 'changed'].includes(test.info().config.updateSnapshots)) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, screen);
  }
  const [now, then] = [await reduced(screen), await reduced(readFileSync(path))];
  expect(then.height, `${name} is made again by: npx playwright test guide-images -u`).toBe(now.height);
  expect
    .soft(
      meanDifference(now, then, () => true),
      name,
    )
    .toBeLessThan(SAME);
};

test.use({ baseURL: DEFAULT_ORIGIN, viewport: { width: 1120, height: 700 }, colorScheme: 'light' });

const LANGUAGES: readonly (readonly [language: string, locale: string, words: Messages])[] = [
  ['en', 'en-GB', english],
  ['de', 'de-DE', german],
];

for (const [language, locale, words] of LANGUAGES) {
  test.describe(language, () => {
    test.use({ locale });

    test(
      `the images of the guide show the page of today: ${language}`,
      { tag: '@slow' },
      async ({ page }) => {
        await openApp(page);
        await drop(page, [jpegFile(PHOTO, readFileSync(join(DOCUMENTS, PHOTO)))]);
        await waitForStatus(page, PHOTO, 'done');
        await page.getByRole('button', { name: words.review.edit, exact: true }).click();
        await page.getByTestId('object').first().click();
        await check(page.getByRole('region', { name: words.stage.region }), `review.${language}`);
        await check(page.getByRole('complementary', { name: words.panel.title }), `settings.${language}`);
      },
    );
  });
}
