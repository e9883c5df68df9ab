import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import type { Report } from '#shared/api/contract/schemas-report';
import { encodeClip } from '../server/testing/clips';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';
import { changesOf, EXPECTED_ROWS, receptionOf, redactReception, rowsOf } from './support/reception-desk';
import { tinySample } from './support/samples';

const PHOTO = 'street.png';
const CLIP = 'reception.mp4';
const CODES = [
  { code: 'b6', label: 'Personal privacy', legal_basis: '5 U.S.C. § 552(b)(6)', colour: '#45c4ff' },
  { code: 'b7C', label: 'Privacy in law enforcement' },
];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Opens the settings that few need, loads codes, and names the case and the reason of faces. */
const nameReasons = async (page: Page): Promise<void> => {
  await page.getByText('Margin, reasons, case').click();
  await page.getByTestId('reasons-input').setInputFiles({
    ...{ name: 'foia.json', mimeType: 'application/json' },
    buffer: Buffer.from(JSON.stringify(CODES)),
  });
  await page.getByRole('combobox', { name: 'Reason for faces' }).selectOption('b6');
  await page.getByRole('textbox', { name: 'Case number' }).fill('2026/17');
  await page.keyboard.press('Tab');
};

/** Exports all files with their logs. @returns texts and files of the archive, by name */
const exported = async (page: Page): Promise<Readonly<Record<string, Uint8Array>>> => {
  await button(page, 'Grid').click();
  await button(page, 'Export all …').click();
  await page.getByRole('checkbox', { name: /^Log of what is hidden/ }).check();
  return unzipSync(await readDownload(await downloadBy(page, 'Export 1')));
};
const textIn = (files: Readonly<Record<string, Uint8Array>>, name: string): string =>
  new TextDecoder().decode(files[name]);

const dragOver = async (page: Page, [x1, y1, x2, y2]: readonly number[]): Promise<void> => {
  const { x, y, width, height } = (await page.getByTestId('result').boundingBox())!;
  await page.mouse.move(x + x1! * width, y + y1! * height);
  await page.mouse.down();
  await page.mouse.move(x + x2! * width, y + y2! * height, { steps: 3 });
  await page.mouse.up();
};

test('an image has an area that is always hidden, a wider margin and reasons, which its log and its report name', async ({
  page,
}) => {
  await openApp(page);
  const photo = await sharp(await tinySample(1))
    .png()
    .toBuffer();
  await drop(page, [{ name: PHOTO, type: 'image/png', bytes: photo }]);
  await waitForStatus(page, PHOTO, 'done');
  await nameReasons(page);
  await page.getByRole('slider', { name: 'Margin' }).fill('1.5');
  await button(page, 'Apply to 1 image').click();
  await waitForStatus(page, PHOTO, 'done');

  await button(page, 'Edit').click();
  await page.getByTestId('stage').focus();
  await page.keyboard.press('a');
  await dragOver(page, [0.02, 0.02, 0.3, 0.2]);
  const objects = page.getByTestId('object');
  const area = page.locator('[data-origin=always]').getByTestId('object');
  await expect(area).toBeFocused();
  await page.getByRole('combobox', { name: 'Method', exact: true }).selectOption('blacken');
  await area.focus();
  await page.keyboard.press('2');
  await expect(page.getByRole('combobox', { name: 'Reason', exact: true })).toHaveValue('b7C');
  expect(await violations(page)).toEqual([]);
  const number = await objects.count();

  // Everything is there again after a reload.
  await page.reload();
  await waitForStatus(page, PHOTO, 'done');
  await button(page, 'Edit').click();
  await expect(objects).toHaveCount(number);
  await page.getByText('Margin, reasons, case').click();
  await expect(page.getByRole('textbox', { name: 'Case number' })).toHaveValue('2026/17');
  await expect(page.getByRole('slider', { name: 'Margin' })).toHaveValue('1.5');

  const files = await exported(page);
  const rows = textIn(files, 'street-redactions.csv').trim().split('\r\n').slice(1);
  expect(rows.filter((row) => row.includes(',area,blacken,b7C,'))).toHaveLength(1);
  expect(rows.filter((row) => row.includes(',face,') && !row.includes(',b6,'))).toEqual([]);
  expect(rows).toHaveLength(number);
  const html = textIn(files, 'street-report.html');
  expect(html).toContain('2026/17');
  expect(html).toContain('Privacy in law enforcement');
  const name = Object.keys(files).find((one) => one.endsWith('.png'))!;
  const { width, height, data } = await readPixels(Buffer.from(files[name]!));
  const at = 3 * (Math.round(0.1 * height) * width + Math.round(0.15 * width));
  expect([...data.slice(at, at + 3)]).toEqual([0, 0, 0]);
});

/** Drops a clip of five frames that show faces. */
const dropClip = async (page: Page): Promise<void> => {
  const size = { width: 320, height: 240 };
  const { data } = await sharp(await tinySample(1))
    .resize(size.width, size.height, { fit: 'cover' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const frames = Array.from({ length: 5 }, (_, i) => [i * 0.04, { ...size, data }] as const);
  await openApp(page);
  await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: await encodeClip({ frames }) }]);
  await waitForStatus(page, CLIP, 'done');
};

/** Applies the edits of the clip. @returns rows of its log: number, file, first and last frame, times, class, … */
const logOfEdits = async (page: Page): Promise<readonly (readonly string[])[]> => {
  await button(page, /^Apply to 1/).click();
  await expect(button(page, /^Apply/)).toBeDisabled();
  await waitForStatus(page, CLIP, 'done');
  const rows = textIn(await exported(page), 'reception-redactions.csv')
    .trim()
    .split('\r\n');
  return rows.map((row) => row.split(','));
};

test('an area that is always hidden in a video has its own time, which the log has, too', async ({
  page,
}) => {
  await dropClip(page);
  await button(page, 'Draw a box').click();
  await button(page, 'Always hide here').click();
  await expect(page.getByTestId('always-hidden')).toHaveCount(1);
  const rows = await logOfEdits(page);
  expect(rows.filter((row) => row.includes('area')).map((row) => row.slice(1, 4))).toEqual([
    [CLIP, '0', '4'],
  ]);
});

test('the place and the class of a track are changed on one frame, and the log names the class', async ({
  page,
}) => {
  await dropClip(page);
  const track = page.getByTestId('track').first();
  await track.getByRole('button', { name: /^Change place or class: Face/ }).click();
  await page.getByRole('group', { name: 'Drawn box' }).press('ArrowRight');
  await page.getByRole('combobox', { name: 'Object type' }).selectOption('person');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(page.getByTestId('draw-box')).toHaveCount(0);
  const rows = await logOfEdits(page);
  expect(rows.filter((row) => row.includes('person'))).toHaveLength(1);
});

test('detections that are dropped together with an image are hidden, and nothing else', async ({ page }) => {
  await openApp(page);
  const photo = await sharp(await tinySample(1))
    .png()
    .toBuffer();
  const { width, height } = await readPixels(photo);
  const found = { file: PHOTO, width, height, objects: [{ class: 'vehicle', bbox: [10, 20, 60, 50] }] };
  const jsonl = { name: 'found.jsonl', type: '', bytes: Buffer.from(`${JSON.stringify(found)}\n`) };
  await drop(page, [{ name: PHOTO, type: 'image/png', bytes: photo }, jsonl]);
  await waitForStatus(page, PHOTO, 'done');
  await expect(page.getByTestId('picture')).toHaveCount(1);
  await expect(page.getByTestId('facts')).toContainText('1 vehicle');
  await expect(page.getByTestId('facts')).not.toContainText('face');

  const wrong = Buffer.from(`${JSON.stringify({ ...found, width: width + 1 })}\n`);
  await drop(page, [
    { name: 'other.png', type: 'image/png', bytes: photo },
    { ...jsonl, bytes: wrong },
  ]);
  await waitForStatus(page, 'other.png', 'failed');
});

// The server's half, with a release, `veil verify` and exports: `office.test.ts`.
test('a clip of a reception desk is redacted in the page, with a signed report that names its log', async ({
  sendTo,
}) => {
  const reception = await receptionOf(sendTo.page, await redactReception(sendTo.page, sendTo.page));
  expect(rowsOf(reception)).toEqual(EXPECTED_ROWS);
  const { screen, visitor, clerk } = await changesOf(reception.video);
  expect(screen).toBeGreaterThan(50);
  expect(visitor).toBeGreaterThan(5);
  expect(clerk).toBeLessThan(4);
  const log = (csv: Uint8Array) => ({
    sha256: createHash('sha256').update(csv).digest('hex'),
    size: csv.byteLength,
  });
  const { redactions } = JSON.parse(new TextDecoder().decode(reception.report)) as Report;
  expect(redactions.csv).toEqual(log(reception.csv));
  expect(redactions.csv).not.toEqual(log(reception.csv.with(-1, 48)));
});
