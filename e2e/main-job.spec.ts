import type { Page } from '@playwright/test';
import { downloadBy, drop, jpegFile, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { countFacesIndependently } from './support/independent-faces';
import { coreOfAny, insideAny, meanDifference, readPixels, type Where } from './support/pixels';
import { smallSample } from './support/samples';
import { upload } from './support/upload';

const PHOTO = 'street corner.jpg';
/** The default classes of the page. */
const DEFAULT_CLASSES = 'face=true&license-plate=true';
/** Distance beyond any soft edge, in px of these photos. */
const CLEAR_OF_EDGES_PX = 80;
const not =
  (where: Where): Where =>
  (x, y) =>
    !where(x, y);

test.describe('a user drops a photo', () => {
  // One page for all tests: loading the models takes longer than a photo.
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage();
    await openApp(page);
  });
  test.afterEach(() => page.getByRole('button', { name: 'Remove all' }).click());
  test.afterAll(() => page.close());

  test('and downloads a JPEG of the same size, in which only the faces are hidden', async ({ sendTo }) => {
    const original = await smallSample(1);
    await drop(page, [jpegFile(PHOTO, original)]);
    await waitForStatus(page, PHOTO, 'done');
    await expect(page.getByTestId('facts')).toContainText('3 faces');

    const download = await downloadBy(page, 'Download');
    expect(download.suggestedFilename()).toBe('street corner-anonymised.jpg');
    const file = await readDownload(download);
    expect([...file.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);

    const [before, after] = [await readPixels(original), await readPixels(file)];
    expect(after).toMatchObject({ width: before.width, height: before.height });
    const { detections } = await (
      await upload(sendTo.server, original, `method=detect&${DEFAULT_CLASSES}`)
    ).metadata();
    const boxes = detections.map(({ bbox }) => bbox);
    expect(boxes).toHaveLength(3);
    expect(meanDifference(before, after, coreOfAny(boxes))).toBeGreaterThan(15);
    expect(meanDifference(before, after, not(insideAny(boxes, CLEAR_OF_EDGES_PX)))).toBeLessThan(2);
    expect(await countFacesIndependently(original)).toBe(3);
    expect(await countFacesIndependently(file)).toBe(0);
  });

  test('and gets the same result as from the server', async ({ sendTo }) => {
    const original = await smallSample(4);
    await drop(page, [jpegFile(PHOTO, original)]);
    await waitForStatus(page, PHOTO, 'done');
    const inPage = await readPixels(await readDownload(await downloadBy(page, 'Download')));
    const onServer = await readPixels(
      await (await upload(sendTo.server, original, DEFAULT_CLASSES)).anonymised(),
    );
    expect(inPage).toMatchObject({ width: onServer.width, height: onServer.height });
    expect(meanDifference(inPage, onServer, () => true)).toBeLessThan(1);
  });

  test('and another method hides the faces, too, without a new detection run', async () => {
    const original = await smallSample(2);
    await page
      .getByTestId('file-input')
      .first()
      .setInputFiles({ name: PHOTO, mimeType: 'image/jpeg', buffer: original });
    await waitForStatus(page, PHOTO, 'done');
    expect(await countFacesIndependently(original)).toBeGreaterThan(0);
    for (const method of ['Pixelate', 'Blacken']) {
      await page.getByRole('radio', { name: method }).check();
      const file = await readDownload(await downloadBy(page, 'Download'));
      expect(await countFacesIndependently(file), method).toBe(0);
    }
  });
});
