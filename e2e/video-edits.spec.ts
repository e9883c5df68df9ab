import { encodeClip, framesOf } from '../server/testing/clips';
import type { Locator, Page } from '@playwright/test';
import { downloadBy, drop, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { violations } from './support/accessible';
import { movingPhoto, withoutAlpha } from './support/moving-photo';
import { coreOfAny, meanDifference } from './support/pixels';
import { shortenReloadDelay } from './support/reload-delay';
import { readSample } from './support/samples';
import { videoMetadata } from './support/video-metadata';

const CLIP = 'street corner.mp4';
const SIZE = { width: 320, height: 240 };
/** Enough for tracking. */
const FRAMES = 3;
/** Movement of the view per frame. */
const STEP_PX = 6;
const VIEW = { size: SIZE, frames: FRAMES, stepPx: STEP_PX };

type Boxes = Parameters<typeof coreOfAny>[0];

/** Number of frames in which the second person is visible. */
const BRIEFLY_SEEN = 2;
/** Faces at the edge are cut off, and hiding them changes few pixels. */
const MIN_FACE_PX = 25;
/** Upper edge of the drawn box after it was moved down, to a place with a pattern and without a face. */
const DRAWN_TOP_PX = 160;

/** The drawn box, in px of the frame. */
const drawnBoxOf = async (box: Locator): Promise<Boxes[number]> => {
  const shares = await box.evaluate((element) => {
    const area = element.parentElement!.getBoundingClientRect();
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [
      (at: number) => (at - area.left) / area.width,
      (at: number) => (at - area.top) / area.height,
    ];
    return [x(left), y(top), x(right), y(bottom)] as const;
  });
  const [x1, y1, x2, y2] = shares;
  return [x1 * SIZE.width, y1 * SIZE.height, x2 * SIZE.width, y2 * SIZE.height];
};

/** Position of the drawn box in a frame: its content moves to the left, because the view moves to the right. */
const drawnAt = ([x1, y1, x2, y2]: Boxes[number], index: number): Boxes[number] => [
  x1 - index * STEP_PX,
  y1,
  x2 - index * STEP_PX,
  y2,
];

/** Names of the folders that the page has on disk. */
const foldersOnDisk = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const folders: string[] = [];
    for await (const folder of (await navigator.storage.getDirectory()).keys()) folders.push(folder);
    return folders;
  });

/** Files of task results. The page also keeps originals and its records. */
const resultsOnDisk = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = [];
    for await (const folder of (await navigator.storage.getDirectory()).values()) {
      for await (const name of (folder as FileSystemDirectoryHandle).keys()) {
        if (name.startsWith('task+output+')) found.push(name);
      }
    }
    return found;
  });

const taskOf = (name: string): string | undefined => name.split('+')[2];

test.describe('a user drops a video', () => {
  test('and makes one person visible, another for a time range, and hides a drawn box, by keyboard alone', async ({
    page,
  }) => {
    const photo = readSample(1);
    const rasters = await movingPhoto(photo, VIEW);
    const clip = await encodeClip({ frames: rasters.map((raster, i) => [i * 0.04, raster]) });
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await openApp(page);
    await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: clip }]);
    await waitForStatus(page, CLIP, 'done');

    const tracks = page.getByTestId('track');
    await expect(tracks.first().locator('img')).toBeVisible();
    expect(await tracks.count()).toBeGreaterThan(1);
    const seen = Number(await tracks.first().getAttribute('data-track'));
    await tracks.first().getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    const brief = Number(await tracks.nth(1).getAttribute('data-track'));
    await tracks.nth(1).getByRole('button', { name: 'Set a time range' }).press('Enter');
    const position = page.getByRole('slider', { name: 'Position in the video' });
    await position.fill(String(BRIEFLY_SEEN * 0.04));
    await tracks
      .nth(1)
      .getByRole('button', { name: /^to .*: set to the current position$/ })
      .press('Enter');
    await position.fill('0');
    await page.getByRole('button', { name: 'Draw a box' }).press('Enter');
    const box = page.getByRole('group', { name: 'Drawn box' });
    await expect(box).toBeFocused();
    while ((await drawnBoxOf(box))[1] < DRAWN_TOP_PX) await page.keyboard.press('ArrowDown');
    const drawn = await drawnBoxOf(box);
    expect(await violations(page), 'drawing').toEqual([]);
    await box.press('Enter');
    await expect(page.getByTestId('drawn')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled();
    expect(await violations(page), 'changed').toEqual([]);
    await page.getByRole('button', { name: 'Apply to 1 file' }).click();
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();

    const metadata = await videoMetadata(page);
    const [before, after] = [
      await framesOf(clip),
      await framesOf(await readDownload(await downloadBy(page, 'Download'))),
    ];
    expect(after).toHaveLength(FRAMES);
    for (const [index, frame] of before.entries()) {
      const [original, hidden] = [withoutAlpha(frame.raster), withoutAlpha(after[index]!.raster)];
      const difference = (boxes: Boxes): number => meanDifference(original, hidden, coreOfAny(boxes));
      const found = metadata[index]!.detections;
      const isSeen = (track: number | undefined): boolean =>
        track === seen || (track === brief && index < BRIEFLY_SEEN);
      const others = found.filter(({ track_id }) => !isSeen(track_id));
      const shown = found.filter(({ track_id }) => isSeen(track_id)).map(({ bbox }) => bbox);
      expect(shown).toHaveLength(index < BRIEFLY_SEEN ? 2 : 1);
      expect(others.every(({ is_anonymised }) => is_anonymised)).toBe(true);
      const inView = others.map(({ bbox }) => bbox).filter(([x1, , x2]) => x2 - x1 > MIN_FACE_PX);
      expect(inView.length).toBeGreaterThan(0);
      for (const face of inView) expect(difference([face]), `frame ${index}`).toBeGreaterThan(12);
      expect(difference(shown), `frame ${index}, to be seen`).toBeLessThan(6);
      expect(difference([drawnAt(drawn, index)]), `frame ${index}, drawn`).toBeGreaterThan(12);
    }
  });
});

test.describe('a user drops a video', () => {
  test('and stops it: processing ends at once, no file remains, and the next video is processed', async ({
    page,
    context,
  }) => {
    const raster = (await movingPhoto(readSample(1), VIEW))[0]!;
    const long = await encodeClip({ frames: Array.from({ length: 200 }, (_, i) => [i * 0.04, raster]) });
    const short = await encodeClip({ frames: [[0, raster]] });
    await openApp(page);
    await shortenReloadDelay(context);
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      await root.getDirectoryHandle('veil-left-by-a-crash', { create: true });
    });
    await openApp(page);
    await expect.poll(() => foldersOnDisk(page)).not.toContain('veil-left-by-a-crash');
    await drop(page, [
      { name: CLIP, type: 'video/mp4', bytes: long },
      { name: 'next.mp4', type: 'video/mp4', bytes: short },
    ]);
    await expect.poll(() => resultsOnDisk(page)).toContainEqual(expect.stringMatching(/anonymised\.mp4$/));
    const [stopped] = new Set((await resultsOnDisk(page)).map(taskOf));
    await page.getByTestId('video-progress').getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByTestId('error')).toContainText('Processing was stopped.');
    await waitForStatus(page, 'next.mp4', 'done');
    await expect
      .poll(async () => (await resultsOnDisk(page)).filter((name) => taskOf(name) === stopped))
      .toEqual([]);
    expect(await resultsOnDisk(page)).toContainEqual(expect.stringMatching(/anonymised\.mp4$/));
    await itemNamed(page, 'next.mp4').getByRole('button', { name: 'Remove next.mp4' }).click();
    await expect.poll(() => resultsOnDisk(page)).toEqual([]);
  });

  test('and reads the reason of the failure if the video is damaged', async ({ page }) => {
    await openApp(page);
    const bytes = new TextEncoder().encode('\0\0\0\x18ftypisom\0\0\x02\0isomiso2');
    await drop(page, [{ name: CLIP, type: 'video/mp4', bytes }]);
    await waitForStatus(page, CLIP, 'failed');
    await expect(page.getByTestId('error')).toContainText('This video has no result');
    await expect(page.getByTestId('error')).toContainText('The video');
    await expect(itemNamed(page, CLIP)).toHaveCount(1);
  });
});
