import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { xmpPacket } from '#shared/testing/xmp-packets';
import { violations } from './support/accessible';
import { downloadBy, drop, jpegFile, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { readPixels } from './support/pixels';

const SIZE = { width: 1024, height: 512 };
const SPHERE = xmpPacket('GPano:ProjectionType="equirectangular"');

/** A foggy day, with nothing to hide. */
const photo = sharp({ create: { ...SIZE, channels: 3, background: '#8fb3d9' } }).jpeg();

/** Brightness of a px of the result, 0..255, as it would be saved now. */
const savedBrightness = async (page: Page) => {
  const file = await readDownload(await downloadBy(page, 'Download'));
  const { width, data } = await readPixels(file);
  return { file, at: (x: number, y: number): number => data[(y * width + x) * 3] ?? Number.NaN };
};

const HORIZON = SIZE.height / 2;

// The default models take a minute: `panorama-choice.spec.ts` searches a panorama with the tiny ones.
test(
  'a user looks around in a panorama, and a box over the seam is hidden on both edges',
  { tag: '@slow' },
  async ({ page }) => {
    await openApp(page);
    const bytes = await photo.withXmp(SPHERE).toBuffer();
    await drop(page, [jpegFile('around.jpg', bytes)]);
    await waitForStatus(page, 'around.jpg', 'done');
    await expect(page.getByTestId('panorama')).toContainText('A 360° panorama');
    await page.getByRole('radio', { name: 'Blacken' }).check();

    await page.getByRole('button', { name: 'Look around' }).click();
    const sphere = page.getByTestId('sphere');
    await expect(sphere).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await sphere.focus();
    // Half a turn: behind the camera is the seam.
    for (let turns = 0; turns < 16; turns += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('r');
    const place = await sphere.boundingBox();
    if (!place) throw new Error('the view is not on the screen');
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(x + from, y - Math.abs(from) / 2);
      await page.mouse.down();
      await page.mouse.move(x + (from + to) / 2, y);
      await page.mouse.move(x + to, y + Math.abs(to) / 2);
      await page.mouse.up();
    };
    await drag(-80, 80);
    await expect(page.getByTestId('object')).toHaveCount(1);
    const drawn = await savedBrightness(page);
    expect(drawn.file.toString('latin1')).toContain('GPano:FullPanoWidthPixels="1024"');
    expect([drawn.at(3, HORIZON), drawn.at(SIZE.width - 4, HORIZON)].every((value) => value < 30)).toBe(true);
    expect(drawn.at(SIZE.width / 2, HORIZON + 9)).toBeGreaterThan(90);

    await page.keyboard.press('Control+z');
    await expect(page.getByTestId('object')).toHaveCount(0);
    const before = await savedBrightness(page);
    expect(before.at(3, HORIZON + 9)).toBeGreaterThan(90);
  },
);
