import type { Locator, Page } from '@playwright/test';
import { plainRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf } from '../server/testing/clips';
import { allAround } from '../server/testing/phone-panoramas';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';

const SIZE = { width: 640, height: 320 };
const CLIP = 'around.mp4';
/** Fog that grows darker: nothing to find, and each frame differs. */
const GREYS = [220, 180, 140] as const;
const FRAME_S = 0.2;

const foggyClip = async (): Promise<Uint8Array> =>
  allAround(
    await encodeClip({
      frames: GREYS.map((grey, i) => [i * FRAME_S, plainRaster(SIZE.width, SIZE.height, [grey, grey, grey])]),
    }),
  );

/** What the middle of the view shows, 0..255. */
const shownGrey = (view: Locator): Promise<number> =>
  view.evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0]!;
  });

const turnAround = async (page: Page): Promise<void> => {
  for (let turns = 0; turns < 16; turns += 1) await page.keyboard.press('ArrowRight');
};

test('a user looks around in a 360° video, and a box over the seam is hidden at both edges of each frame', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await openApp(page);
  await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: await foggyClip() }]);
  await waitForStatus(page, CLIP, 'done');
  await page.getByRole('radio', { name: 'Blacken' }).check();

  await page.getByRole('button', { name: 'Look around' }).click();
  const view = page.getByTestId('sphere').locator('canvas');
  const position = page.getByRole('slider', { name: 'Position in the video' });
  for (const [i, grey] of GREYS.entries()) {
    await position.fill(String((i + 0.5) * FRAME_S));
    await expect.poll(async () => Math.abs((await shownGrey(view)) - grey), `frame ${i}`).toBeLessThan(12);
  }
  await position.fill('0');
  await page.getByTestId('stage').focus();
  await turnAround(page);
  await page.getByRole('button', { name: 'Draw a box' }).click();
  const box = page.getByRole('group', { name: 'Drawn box' });
  await expect(box).toBeFocused();
  expect(await violations(page), 'drawing').toEqual([]);
  const place = await page.getByTestId('sphere').boundingBox();
  if (!place) throw new Error('the view is not on the screen');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.move(x - 150, y - 120);
  await page.mouse.down();
  await page.mouse.move(x, y);
  await page.mouse.move(x + 150, y + 120);
  await page.mouse.up();
  await box.press('Enter');
  await expect(page.getByTestId('drawn')).toHaveCount(1);
  await page.getByRole('button', { name: 'Apply to 1 file' }).click();
  const result = await framesOf(await readDownload(await downloadBy(page, 'Download')));
  expect(result).toHaveLength(GREYS.length);
  for (const [i, { raster }] of result.entries()) {
    const at = (column: number): number =>
      raster.data[((SIZE.height / 2) * SIZE.width + column) * 4] ?? Number.NaN;
    const hidden = [at(4), at(SIZE.width - 5)];
    expect(Math.max(...hidden), `frame ${i}`).toBeLessThan(40);
    expect(at(SIZE.width / 2), `frame ${i}, elsewhere`).toBeGreaterThan(100);
  }
  // The sphere shows the new result: the box lies in the middle of the view.
  await expect.poll(() => shownGrey(view)).toBeLessThan(40);
});
