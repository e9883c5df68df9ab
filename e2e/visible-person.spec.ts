import type { Page } from '@playwright/test';
import type { ImageMetadata } from '#shared/api/contract/schemas-results';
import { violations } from './support/accessible';
import { drop, jpegFile, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { coreOfAny, meanDifference, readPixels } from './support/pixels';
import { smallSample } from './support/samples';

/** Two photos of different persons. */
const FILES = await Promise.all(
  [3, 6].map(async (number) => jpegFile(`${number}.jpg`, await smallSample(number))),
);
const [PHOTO, OTHER] = ['3.jpg', '6.jpg'];
/** Mean difference of a face to the original: compression alone, and blur. */
const [MAX_VISIBLE, MIN_HIDDEN] = [3, 8];

/** Detections by file name. */
const detections = (page: Page): Promise<Readonly<Record<string, ImageMetadata['detections']>>> =>
  page.evaluate(async () => {
    const get = async <Answer>(path: string) => (await (await fetch(path)).json()) as Answer;
    const tasks = await get<{ id: string }[]>('/v1/task/list');
    const entries = tasks.map(async ({ id }) => {
      const { filename } = await get<{ filename: string }>(`/v1/task/${id}`);
      return [filename, (await get<ImageMetadata>(`/v1/file/${id}/metadata`)).detections] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  });

const visible = async (page: Page, name: string) =>
  (await detections(page))[name]?.filter(({ is_anonymised: isHidden }) => !isHidden) ?? [];

const rows = (page: Page) => page.getByTestId('visible-face');

test('a user keeps the person of a selected face visible, checks the list before the export, and hides the face', async ({
  page,
}) => {
  await openApp(page);
  await drop(page, FILES);
  for (const { name } of FILES) await waitForStatus(page, name, 'done');
  expect([...(await visible(page, PHOTO!)), ...(await visible(page, OTHER!))]).toEqual([]);

  await itemNamed(page, PHOTO!).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByTestId('object').first().click();
  await page.getByRole('button', { name: 'Keep visible' }).click();
  await expect(page.getByRole('img', { name: 'Sample photo 1' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Keep this person visible' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(async () => (await visible(page, PHOTO!)).length).toBe(1);
  const [face] = await visible(page, PHOTO!);
  const hidden = (await detections(page))[PHOTO!]!.filter((one) => one.is_anonymised);
  expect(face?.shown_confidence).toBeGreaterThan(0.6);
  expect(hidden).toHaveLength(2);

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(PHOTO!);
  await expect(rows(page).getByRole('img', { name: `Visible face in ${PHOTO}` })).toBeVisible();
  await expect(rows(page).getByRole('img', { name: 'Sample' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [original, saved] = await Promise.all(
    [FILES[0]!.bytes, await readDownload(await downloading)].map(readPixels),
  );
  expect(meanDifference(original!, saved!, coreOfAny([face!.bbox]))).toBeLessThan(MAX_VISIBLE);
  for (const { bbox } of hidden) {
    expect(meanDifference(original!, saved!, coreOfAny([bbox]))).toBeGreaterThan(MIN_HIDDEN);
  }

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('button', { name: `Hide the face in ${PHOTO}` }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText('No face will be visible.')).toBeVisible();
  expect(await visible(page, PHOTO!)).toEqual([]);
});
