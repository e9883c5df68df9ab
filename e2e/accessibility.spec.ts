import type { Page } from '@playwright/test';
import { violations } from './support/accessible';
import { drop, jpegFile, openApp, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { smallSample } from './support/samples';

const PHOTO = 'street.jpg';

test('every screen of the page meets WCAG 2.2 AA as far as a machine can tell, in both themes', async ({
  page,
}) => {
  await openApp(page);
  expect(await violations(page), 'welcome').toEqual([]);
  for (const name of ['sent', 'engine']) {
    await page.getByTestId(name).click();
    expect(await violations(page), name).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.getByTestId('engine').click();
  await page.getByRole('button', { name: 'Send my files to this server' }).click();
  await page.keyboard.press('Escape');
  expect(await violations(page), 'a server that is used').toEqual([]);
  await page.getByRole('button', { name: 'Work in this tab again' }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  expect(await violations(page), 'keys').toEqual([]);
  await page.keyboard.press('Escape');

  const text = { name: 'notes.jpg', type: 'image/jpeg', bytes: new TextEncoder().encode('no picture') };
  await drop(page, [jpegFile(PHOTO, await smallSample(1)), text]);
  await waitForStatus(page, PHOTO, 'done');
  await page.getByRole('button', { name: 'Boxes' }).click();
  await page.getByText('Sensitivity').click();
  expect(await violations(page), 'workspace').toEqual([]);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByTestId('object').first().click();
  expect(await violations(page), 'editor').toEqual([]);
  await page.getByRole('button', { name: 'notes.jpg, could not be processed' }).click();
  expect(await violations(page), 'a failed picture').toEqual([]);

  await page.getByRole('button', { name: 'Grid' }).click();
  await page.getByRole('option', { name: PHOTO }).click();
  expect(await violations(page), 'the grid').toEqual([]);
  await page.getByRole('button', { name: 'Export 1' }).click();
  expect(await violations(page), 'the export').toEqual([]);
});

test('the API reference meets WCAG 2.2 AA as far as a machine can tell, in both themes', async ({ page }) => {
  await page.goto('/docs');
  await expect(page.getByRole('radio', { name: 'This server' })).toBeVisible();
  await page.getByTestId('operation-uploadFile').locator('summary').first().click();
  expect(await violations(page)).toEqual([]);
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

test('a picture is chosen, compared, blackened and saved by keyboard alone', async ({ page }) => {
  await openApp(page);
  await tabTo(page, /^Choose files$/);
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: PHOTO, mimeType: 'image/jpeg', buffer: await smallSample(1) });
  await waitForStatus(page, PHOTO, 'done');

  // The first screen is gone; the picture has the focus.
  await expect(page.getByTestId('stage')).toBeFocused();
  await page.keyboard.press('b');
  await expect(page.getByTestId('box').first()).toBeVisible();
  await page.keyboard.press('Tab');
  const divider = page.getByRole('slider', { name: 'Divider between original and result' });
  await expect(divider).toBeFocused();
  await page.keyboard.press('Home');
  await expect(divider).toHaveAttribute('aria-valuenow', '0');

  await tabTo(page, /^Blur$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, /^Download$/);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('street-anonymised.jpg');
});

test('what was found is listed for who does not see the picture', async ({ page }) => {
  await openApp(page);
  await drop(page, [jpegFile(PHOTO, await smallSample(1))]);
  await waitForStatus(page, PHOTO, 'done');
  const objects = page.getByRole('list', { name: 'Objects found' }).getByRole('listitem');
  await expect(objects).toHaveCount(3);
  await expect(objects.first()).toHaveText(/^Face \d+ %, \d+ % from the left, \d+ % from the top$/);
});

test.describe('where the browser wants German', () => {
  test.use({ locale: 'de-DE' });

  test('the page speaks German, until English is chosen, which it remembers', async ({ page }) => {
    await openApp(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('button', { name: 'Dateien auswählen' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  });
});
