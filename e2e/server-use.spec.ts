import {
  downloadBy,
  drop,
  jpegFile,
  openApp,
  itemNamed,
  readDownload,
  selectServer,
  waitForStatus,
} from './support/app';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { TINY_PX, tinySample } from './support/samples';

test('files go to the server only while it is selected; their results are downloaded, and the server then keeps none', async ({
  page,
  request,
}) => {
  await openApp(page);
  const banner = page.getByTestId('server-banner');
  await expect(banner).toHaveCount(0);
  await selectServer(page);
  await expect(banner).toContainText('Files are sent to http://');

  const photo = await tinySample(5);
  await drop(page, [jpegFile('sent.jpg', photo)]);
  await waitForStatus(page, 'sent.jpg', 'done');
  const sent = page.getByTestId('sent');
  await expect(sent).toHaveAttribute('data-sent', 'true');
  const sentText = (await sent.textContent()) ?? '';
  expect(sentText).toMatch(/^\d+ kB sent$/);
  const result = await readDownload(await downloadBy(page, 'Download'));
  expect((await readPixels(result)).width).toBe(TINY_PX);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const objects = page.getByTestId('object');
  await expect(objects).toHaveCount(3);
  await objects.first().click();
  await page.getByRole('button', { name: 'Hidden' }).click();
  await expect(page.getByTestId('facts')).toContainText('2 faces');
  const edited = await readDownload(await downloadBy(page, 'Download'));
  expect(edited.equals(result)).toBe(false);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('facts')).toContainText('3 faces');

  const tasksOnServer = async (): Promise<string> => (await request.get('/v1/task/list')).text();
  expect(await tasksOnServer()).toContain('sent.jpg');

  await banner.getByRole('button', { name: 'Process files in this tab again' }).click();
  await expect(banner).toHaveCount(0);
  await expect.poll(tasksOnServer).not.toContain('sent.jpg');
  await drop(page, [jpegFile('not-sent.jpg', photo)]);
  await waitForStatus(page, 'not-sent.jpg', 'done');
  await expect(sent).toHaveText(sentText);

  await page.reload();
  await expect(itemNamed(page, 'sent.jpg')).toHaveAttribute('data-status', 'done');
  await expect(banner).toHaveCount(0);
  expect(result.equals(await readDownload(await downloadBy(page, 'Download')))).toBe(true);
});
