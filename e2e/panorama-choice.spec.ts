import sharp from 'sharp';
import { violations } from './support/accessible';
import { drop, jpegFile, openApp, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { resetGraphics, shownGrey, sphereView } from './support/sphere-view';

const photo = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: width / 2, channels: 3, background: '#8fb3d9' } })
    .jpeg()
    .toBuffer();

test('a large file that looks like a panorama is searched as one, unless the user says no', async ({
  page,
}) => {
  await openApp(page);
  await drop(page, [jpegFile('wide.jpg', await photo(4096)), jpegFile('usual.jpg', await photo(1024))]);
  await waitForStatus(page, 'wide.jpg', 'done');
  await waitForStatus(page, 'usual.jpg', 'done');
  await expect(page.getByTestId('panorama')).toContainText('One file is twice as wide as high');
  const answer = page.getByRole('checkbox', { name: 'Search as 360° panorama' });
  await expect(answer).toBeChecked();
  await expect(page.getByRole('button', { name: 'Look around' })).toBeVisible();
  await answer.uncheck();
  await page.getByRole('button', { name: 'Apply to 1 image' }).click();
  await waitForStatus(page, 'wide.jpg', 'done');
  await expect(page.getByRole('button', { name: 'Look around' })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test('the view of a panorama comes back after the graphics processor has lost it', async ({ page }) => {
  await openApp(page);
  await drop(page, [jpegFile('wide.jpg', await photo(4096))]);
  await waitForStatus(page, 'wide.jpg', 'done');
  await page.getByRole('button', { name: 'Look around' }).click();
  const view = sphereView(page);
  await expect.poll(() => shownGrey(view)).toBeGreaterThan(100);
  const before = await shownGrey(view);
  await resetGraphics(view);
  await expect.poll(() => shownGrey(view)).toBe(before);
});
