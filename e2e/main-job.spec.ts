import { unzipSync } from 'fflate';
import {
  downloadBy,
  drop,
  jpegFile,
  openApp,
  pictureNamed,
  readDownload,
  waitForStatus,
} from './support/app';
import { expect, test } from './support/hosts';
import { countFacesIndependently } from './support/independent-faces';
import { coreOfAny, insideAny, meanDifference, readPixels, type Where } from './support/pixels';
import { readSample, SMALL_PX, smallSample } from './support/samples';
import { upload } from './support/upload';

const PHOTO = 'street corner.jpg';
/** The default classes of the page. */
const DEFAULT_CLASSES = 'face=true&license-plate=true';
/** Distance beyond any soft edge, in px of these photos. */
const CLEAR_OF_EDGES_PX = 160;
const not =
  (where: Where): Where =>
  (x, y) =>
    !where(x, y);

test.describe('a user drops a photo', () => {
  test('and downloads a JPEG of the same size, in which only the faces are hidden', async ({
    page,
    sendTo,
  }) => {
    const original = readSample(1);
    await openApp(page);
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

  test('and gets the same result as from the server', async ({ page, sendTo }) => {
    const original = await smallSample(4);
    await openApp(page);
    await drop(page, [jpegFile(PHOTO, original)]);
    await waitForStatus(page, PHOTO, 'done');
    const inPage = await readPixels(await readDownload(await downloadBy(page, 'Download')));
    const onServer = await readPixels(
      await (await upload(sendTo.server, original, DEFAULT_CLASSES)).anonymised(),
    );
    expect(inPage).toMatchObject({ width: onServer.width, height: onServer.height });
    expect(meanDifference(inPage, onServer, () => true)).toBeLessThan(1);
  });

  test('and another method hides the faces, too, without a new detection run', async ({ page }) => {
    const original = await smallSample(2);
    await openApp(page);
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

test.describe('a user drops many files', () => {
  test('and gets all results, although one file is invalid', async ({ page }) => {
    await openApp(page);
    const text = { name: 'notes.jpg', type: 'image/jpeg', bytes: new TextEncoder().encode('no picture') };
    await drop(page, [
      jpegFile('first.jpg', await smallSample(5)),
      text,
      jpegFile('second.jpg', await smallSample(6)),
    ]);
    await waitForStatus(page, 'first.jpg', 'done');
    await waitForStatus(page, 'notes.jpg', 'failed');
    await waitForStatus(page, 'second.jpg', 'done');
    await expect(page.getByTestId('batch-progress')).toContainText('2 of 3 images done');

    await pictureNamed(page, 'notes.jpg').getByRole('button').first().click();
    await expect(page.getByTestId('error')).toContainText(
      'The file is not a picture; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF pictures are supported.',
    );

    const archive = unzipSync(await readDownload(await downloadBy(page, 'Download all (2)')));
    expect(Object.keys(archive).sort()).toEqual(['first-anonymised.jpg', 'second-anonymised.jpg']);
    const first = await readPixels(archive['first-anonymised.jpg']!);
    expect(first.width).toBe(SMALL_PX);
  });
});
