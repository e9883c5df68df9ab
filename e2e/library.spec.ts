import sharp from 'sharp';
import { openApp, pictureNamed, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';

const COUNT = 300;

test('of hundreds of pictures few are rendered, all are reached, and work waits while it is paused', async ({
  page,
}) => {
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  await openApp(page);
  const files = Array.from({ length: COUNT }, (_, i) => ({
    name: `${i}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }));
  await page.getByTestId('file-input').first().setInputFiles(files);
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await page.getByTestId('picture').count()).toBeLessThan(60);

  const list = page.getByRole('list').filter({ has: page.getByTestId('picture') });
  await list.evaluate((row) => row.scrollTo({ left: row.scrollWidth }));
  const last = pictureNamed(page, `${COUNT - 1}.jpg`);
  await expect(last).toHaveAttribute('aria-posinset', String(COUNT));
  await expect(last).toHaveAttribute('data-status', 'waiting');
  await last.getByRole('button').first().click();
  await expect(page.getByTestId('stage')).toHaveAccessibleName(`${COUNT - 1}.jpg, before and after`);
  // The one in view comes first.
  await page.getByRole('button', { name: 'Go on' }).click();
  await waitForStatus(page, `${COUNT - 1}.jpg`, 'done');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
});
