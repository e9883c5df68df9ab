import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { encodeClip } from '../../server/testing/clips';
import type { Messages } from '../../web/app/messages/en';
import { drop, type DroppedFile, jpegFile, openApp, itemNamed, waitForStatus } from './app';
import { makeDrive } from './made-bag';
import { readSample, smallSample } from './samples';

const PHOTO = 'street.jpg';
const CLIP = 'street corner.mp4';
const NO_IMAGE = 'notes.jpg';

const CLIP_SIZE = { width: 480, height: 360 };
const CLIP_FRAMES = 2;
const FRAME_SECONDS = 0.04;

/** A video of one unchanged photo. */
const shortClip = async (): Promise<Uint8Array> => {
  const { width, height } = CLIP_SIZE;
  const photo = sharp(readSample(1)).resize(width, height, { fit: 'cover' }).ensureAlpha();
  const raster = { width, height, data: await photo.raw().toBuffer() };
  return encodeClip({
    frames: Array.from({ length: CLIP_FRAMES }, (_, i) => [i * FRAME_SECONDS, raster] as const),
  });
};

const filesToDrop = async (): Promise<readonly DroppedFile[]> => [
  jpegFile(PHOTO, await smallSample(1)),
  jpegFile(NO_IMAGE, new TextEncoder().encode('no image')),
  { name: CLIP, type: 'video/mp4', bytes: await shortClip() },
];

/** Called for each view when it is on the screen. */
export type ViewCheck = (view: View) => Promise<void>;
export type View =
  | ('welcome' | 'sent' | 'machine' | 'keys' | 'help')
  | ('picture' | 'editor' | 'video' | 'drawn-box')
  | ('failed' | 'grid' | 'export' | 'reference' | 'bag');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const show = (page: Page, name: string): Promise<void> =>
  itemNamed(page, name).getByRole('button').first().click();
const close = (page: Page): Promise<void> => page.keyboard.press('Escape');

const checkFirstScreen = async (page: Page, check: ViewCheck): Promise<void> => {
  await openApp(page);
  await check('welcome');
  await page.getByTestId('sent').click();
  await check('sent');
  await close(page);
  await page.getByTestId('engine').click();
  await expect(page.getByTestId('models').getByRole('row').nth(1)).toBeVisible();
  await check('machine');
  await close(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('keys');
  await close(page);
};

const checkItem = async (page: Page, words: Messages, check: ViewCheck): Promise<void> => {
  await show(page, PHOTO);
  await expect(page.getByTestId('result')).toBeVisible();
  await button(page, words.stage.boxes).click();
  await page.getByText(words.panel.thresholds, { exact: true }).click();
  await check('picture');
  await button(page, words.review.edit).click();
  await page.getByTestId('object').first().click();
  await check('editor');
  await button(page, words.review.edit).click();
  await button(page, words.stage.boxes).click();
};

const checkVideo = async (page: Page, words: Messages, check: ViewCheck): Promise<void> => {
  await show(page, CLIP);
  await expect(page.getByTestId('result-video')).toBeVisible();
  await expect(page.getByTestId('track').first().locator('img')).toBeVisible();
  await page.getByTestId('tracks').scrollIntoViewIfNeeded();
  await check('video');
  await button(page, words.video.drawBox).click();
  await check('drawn-box');
  await close(page);
};

const checkLibrary = async (page: Page, words: Messages, check: ViewCheck): Promise<void> => {
  await show(page, NO_IMAGE);
  await check('failed');
  await button(page, words.views.grid).click();
  await page.getByRole('option', { name: PHOTO }).click();
  await check('grid');
  await button(page, words.grid.exportSelected(1)).click();
  await check('export');
  await close(page);
};

const checkReference = async (page: Page, check: ViewCheck): Promise<void> => {
  await page.goto('/docs');
  await expect(page.getByRole('radio').first()).toBeVisible();
  await page.getByTestId('operation-uploadFile').locator('summary').first().click();
  await check('reference');
};

/** The guide in the language of the page. */
const checkHelp = async (page: Page, check: ViewCheck): Promise<void> => {
  await openApp(page);
  await page.keyboard.press('?');
  const guide = await page.getByRole('dialog').getByRole('link').first().getAttribute('href');
  await page.goto(new URL(guide ?? '', page.url()).href);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('img').first()).toBeVisible();
  await check('help');
};

/** A bag with topics of all kinds, for some of which a person has to choose. */
const checkBag = async (page: Page, check: ViewCheck): Promise<void> => {
  await openApp(page);
  await drop(page, [{ name: 'drive.mcap', type: '', bytes: await makeDrive() }]);
  await expect(page.getByTestId('bag')).toHaveAttribute('data-state', 'listed');
  await check('bag');
};

/** Opens all views of the page one after another. @param words catalogue of the page's language */
export const visitViews = async (page: Page, words: Messages, check: ViewCheck): Promise<void> => {
  await checkFirstScreen(page, check);
  await drop(page, await filesToDrop());
  await waitForStatus(page, PHOTO, 'done');
  await waitForStatus(page, CLIP, 'done');
  await checkItem(page, words, check);
  await checkVideo(page, words, check);
  await checkLibrary(page, words, check);
  await checkReference(page, check);
  await checkHelp(page, check);
  await checkBag(page, check);
};
