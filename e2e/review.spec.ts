import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { coreOfAny, meanDifference, readPixels, type Pixels } from './support/pixels';
import { smallSample } from './support/samples';

/** Not a JPEG: what is not hidden comes out as it went in, bit for bit. */
const PHOTO = 'street.png';

const openPhoto = async (page: Page): Promise<Buffer> => {
  const original = await sharp(await smallSample(1))
    .png()
    .toBuffer();
  await openApp(page);
  await drop(page, [{ name: PHOTO, type: 'image/png', bytes: original }]);
  await waitForStatus(page, PHOTO, 'done');
  return original;
};

/** What is saved now. */
const saved = async (page: Page): Promise<Pixels> =>
  readPixels(await readDownload(await downloadBy(page, 'Download')));

const objects = (page: Page) => page.getByTestId('object');

type Area = readonly [x1: number, y1: number, x2: number, y2: number];

/** Where an object is, as shares of the picture. */
const shareOf = async (page: Page, index: number): Promise<Area> => {
  const picture = await page.getByTestId('result').boundingBox();
  const box = await objects(page).nth(index).boundingBox();
  if (!picture || !box) throw new Error('neither picture nor object is on the screen');
  const x = (at: number): number => (at - picture.x) / picture.width;
  const y = (at: number): number => (at - picture.y) / picture.height;
  return [x(box.x), y(box.y), x(box.x + box.width), y(box.y + box.height)];
};

const inPixels = ([x1, y1, x2, y2]: Area, { width, height }: Pixels): Area => [
  x1 * width,
  y1 * height,
  x2 * width,
  y2 * height,
];

/** Drags over a part of the picture, given as shares of it. */
const dragOver = async (page: Page, [x1, y1, x2, y2]: Area): Promise<void> => {
  const picture = await page.getByTestId('result').boundingBox();
  if (!picture) throw new Error('no picture is on the screen');
  const { x, y, width, height } = picture;
  await page.mouse.move(x + x1 * width, y + y1 * height);
  await page.mouse.down();
  await page.mouse.move(x + ((x1 + x2) / 2) * width, y + ((y1 + y2) / 2) * height);
  await page.mouse.move(x + x2 * width, y + y2 * height);
  await page.mouse.up();
};

test('a person shows a face, hides an area, and takes both back; the saved file is what is shown', async ({
  page,
}) => {
  const original = await readPixels(await openPhoto(page));
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(objects(page)).toHaveCount(3);
  const face = inPixels(await shareOf(page, 0), original);
  const before = await saved(page);
  expect(meanDifference(original, before, coreOfAny([face]))).toBeGreaterThan(8);

  await objects(page).first().click();
  await page.getByRole('button', { name: 'Hidden' }).click();
  const shown = await saved(page);
  expect(meanDifference(original, shown, coreOfAny([face]))).toBe(0);

  const area: Area = [0.05, 0.05, 0.2, 0.2];
  const corner = inPixels(area, original);
  await page.getByRole('button', { name: 'Hide a rectangle' }).click();
  await dragOver(page, area);
  await expect(objects(page)).toHaveCount(4);
  const covered = await saved(page);
  expect(meanDifference(shown, covered, coreOfAny([corner]))).toBeGreaterThan(1.5);
  expect(meanDifference(shown, covered, coreOfAny([face]))).toBe(0);
  await expect(page.getByTestId('facts')).toContainText('3 faces');

  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  const restored = await saved(page);
  expect(meanDifference(before, restored, () => true)).toBe(0);
});
