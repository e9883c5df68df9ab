import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { coreOfAny, meanDifference, readPixels, type Pixels } from './support/pixels';
import { tinySample } from './support/samples';

/** A PNG, because its visible parts must not change at all. */
const PHOTO = 'street.png';

const openPhoto = async (page: Page): Promise<Buffer> => {
  const original = await sharp(await tinySample(1))
    .png()
    .toBuffer();
  await openApp(page);
  await drop(page, [{ name: PHOTO, type: 'image/png', bytes: original }]);
  await waitForStatus(page, PHOTO, 'done');
  return original;
};

/** The result as it would be saved now. */
const saved = async (page: Page): Promise<Pixels> =>
  readPixels(await readDownload(await downloadBy(page, 'Download')));

const objects = (page: Page) => page.getByTestId('object');

type Area = readonly [x1: number, y1: number, x2: number, y2: number];

/** Position of an object, as shares of the image. */
const shareOf = async (page: Page, index: number): Promise<Area> => {
  const image = await page.getByTestId('result').boundingBox();
  const box = await objects(page).nth(index).boundingBox();
  if (!image || !box) throw new Error('neither image nor object is on the screen');
  const x = (at: number): number => (at - image.x) / image.width;
  const y = (at: number): number => (at - image.y) / image.height;
  return [x(box.x), y(box.y), x(box.x + box.width), y(box.y + box.height)];
};

const inPixels = ([x1, y1, x2, y2]: Area, { width, height }: Pixels): Area => [
  x1 * width,
  y1 * height,
  x2 * width,
  y2 * height,
];

/** Drags over a part of the image, given as shares of its size. */
const dragOver = async (page: Page, [x1, y1, x2, y2]: Area): Promise<void> => {
  const image = await page.getByTestId('result').boundingBox();
  if (!image) throw new Error('no image is on the screen');
  const { x, y, width, height } = image;
  await page.mouse.move(x + x1 * width, y + y1 * height);
  await page.mouse.down();
  await page.mouse.move(x + ((x1 + x2) / 2) * width, y + ((y1 + y2) / 2) * height);
  await page.mouse.move(x + x2 * width, y + y2 * height);
  await page.mouse.up();
};

test('a user makes a face visible, hides an area, and undoes both; the saved file matches the screen', async ({
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
  await page.getByRole('radio', { name: 'Hide a rectangle' }).check();
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

/** The tasks of this page. Each detection run creates one. */
const tasks = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const list = (await (await fetch('/v1/task/list')).json()) as { id: string }[];
    return list.map(({ id }) => id).join();
  });

test('a higher threshold makes a face visible without a new detection run, and a lower one hides it again', async ({
  page,
}) => {
  await openPhoto(page);
  await expect(page.locator('html[data-api="page"]')).toBeAttached();
  const before = await tasks(page);
  const first = await saved(page);
  await page.getByText('Minimum confidence').click();
  await expect(page.getByTestId('histogram').first()).toBeVisible();
  const slider = page.getByRole('slider', { name: 'Faces: minimum confidence' });
  // All three scores are high; one is below this threshold.
  await slider.fill('0.95');
  await expect(page.getByTestId('facts')).not.toContainText('3 faces');
  const fewer = await saved(page);
  expect(meanDifference(first, fewer, () => true)).toBeGreaterThan(0);
  await slider.fill('0.5');
  await expect(page.getByTestId('facts')).toContainText('3 faces');
  expect(meanDifference(first, await saved(page), () => true)).toBe(0);
  expect(await tasks(page)).toBe(before);
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
});

test('objects are switched off, moved and drawn by keyboard alone', async ({ page }) => {
  const original = await readPixels(await openPhoto(page));
  await page.getByTestId('stage').focus();
  await page.keyboard.press('e');
  await page.keyboard.press('Tab');
  const face = objects(page).first();
  await expect(face).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(face).toHaveAttribute('aria-pressed', 'false');
  await expect(face).toHaveAccessibleName(/, not hidden$/);
  await page.keyboard.press('Enter');

  const [left] = await shareOf(page, 0);
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await shareOf(page, 0))[0]).toBeLessThan(left);

  await page.keyboard.press('Escape');
  await expect(page.getByTestId('stage')).toBeFocused();
  const before = await saved(page);
  await page.getByTestId('stage').focus();
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await expect(objects(page)).toHaveCount(4);
  const drawn = inPixels(await shareOf(page, 3), original);
  expect(meanDifference(before, await saved(page), coreOfAny([drawn]))).toBeGreaterThan(1);

  await objects(page).nth(3).focus();
  await page.keyboard.press('Delete');
  await expect(objects(page)).toHaveCount(3);
  expect(meanDifference(before, await saved(page), () => true)).toBe(0);
});

test('a user blackens all faces of all images at once, and undoes it at once', async ({ page }) => {
  const original = await openPhoto(page);
  await drop(page, [{ name: 'other.png', type: 'image/png', bytes: original }]);
  await waitForStatus(page, 'other.png', 'done');
  const before = await saved(page);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const faces = (await Promise.all([0, 1, 2].map((index) => shareOf(page, index)))).map((area) =>
    inPixels(area, before),
  );
  await objects(page).first().click();
  await page.getByRole('button', { name: 'For all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Faces in all images' });
  await dialog.getByRole('radio', { name: /^Blacken changes 6 objects in 2 images$/ }).check();
  expect(await violations(page), 'for all').toEqual([]);
  await dialog.getByRole('button', { name: 'Change 2 images' }).click();
  const blackened = (x: number, y: number): boolean => coreOfAny(faces)(x, y);
  const black = { ...before, data: new Uint8Array(before.data.length) };
  for (const name of [PHOTO, 'other.png']) {
    await itemNamed(page, name)
      .getByRole('button', { name: new RegExp(`^${name}, `) })
      .click();
    expect(meanDifference(black, await saved(page), blackened), name).toBeLessThan(3);
  }
  await page.getByTestId('done-for-all').getByRole('button', { name: 'Undo for all' }).click();
  expect(meanDifference(before, await saved(page), () => true)).toBe(0);
});
