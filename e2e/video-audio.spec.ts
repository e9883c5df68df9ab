import type { Page } from '@playwright/test';
import { createRaster } from '#shared/testing/rasters';
import { BURST, detectTones, sound } from '../server/testing/bursts';
import { encodeClip, openClip } from '../server/testing/clips';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';

const CLIP = 'street corner.mp4';

/** Ids of the tasks of the page. */
const taskIds = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const tasks = (await (await fetch('/v1/task/list')).json()) as { id: string }[];
    return tasks.map(({ id }) => id);
  });

test.describe('a user drops a video', () => {
  test('and removes and restores its audio without a new detection, and the choice survives a reload', async ({
    page,
  }) => {
    const raster = createRaster(320, 240, () => [90, 90, 90]);
    const clip = await encodeClip({
      frames: [[0, raster]],
      container: 'mov',
      sounds: [sound('ulaw', 8000, 1)],
    });
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await openApp(page);
    await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: clip }]);
    await waitForStatus(page, CLIP, 'done');
    await expect(page.getByTestId('video-warnings')).toContainText('1 audio track was encoded again');
    // The page may not answer requests yet: it was only opened.
    await page.locator('html[data-api=page]').waitFor();
    const tasks = await taskIds(page);
    expect(tasks).toHaveLength(1);
    const mute = page.getByRole('checkbox', { name: 'Remove the audio of videos' });
    const audioTracksAfterApply = async (): Promise<number> => {
      await mute.press('Space');
      await page.getByRole('button', { name: 'Apply to 1 file' }).press('Enter');
      await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
      await waitForStatus(page, CLIP, 'done');
      const result = await readDownload(await downloadBy(page, 'Download'));
      return (await openClip(result)).copiedAudioTracks;
    };
    expect(await audioTracksAfterApply()).toBe(0);
    expect(await audioTracksAfterApply()).toBe(1);
    expect(await audioTracksAfterApply()).toBe(0);
    expect(await taskIds(page)).toEqual(tasks);
    await page.reload();
    await expect(mute).toBeChecked();
  });

  test('and mutes a part of its audio by keyboard, hears it silent at once, and downloads it without the sound', async ({
    page,
  }) => {
    const raster = createRaster(320, 240, () => [90, 90, 90]);
    const clip = await encodeClip({
      frames: [0, 0.25, 0.5, 0.75].map((seconds) => [seconds, raster]),
      sounds: [sound('aac', 48_000, 2)],
    });
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await openApp(page);
    await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: clip }]);
    await waitForStatus(page, CLIP, 'done');
    const track = page.getByTestId('mute-track');
    await expect(track.getByTestId('waveform')).toBeVisible();
    const position = page.getByRole('slider', { name: 'Position in the video' });
    for (const [seconds, key] of [
      [BURST.from - 0.1, 'm'],
      [BURST.to + 0.1, 'm'],
    ] as const) {
      // oxfmt-ignore
      await position.fill(seconds.toFixed(2));
      await track.press(key);
    }
    const part = page.getByRole('group', { name: /^Muted from 0:00.4 to 0:00.7$/ });
    await expect(part).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(part).toHaveCount(0);
    await page.getByRole('button', { name: 'Redo' }).press('Enter');
    await expect(part).toBeVisible();
    expect(await violations(page), 'muted').toEqual([]);
    const isSilent = () =>
      page.getByTestId('result-video').evaluate((video) => (video as HTMLVideoElement).muted);
    await position.fill('0.5');
    await expect.poll(isSilent).toBe(true);
    await position.fill('0.1');
    await expect.poll(isSilent).toBe(false);
    await page.getByRole('button', { name: 'Apply to 1 file' }).click();
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();
    const result = await readDownload(await downloadBy(page, 'Download'));
    const [before, after] = [await detectTones(clip), await detectTones(result)];
    expect(before[0]!.burst[0]).toBeLessThan(BURST.to);
    expect(after.map(({ codec, burst }) => [codec, burst])).toEqual([['aac', [Infinity, -Infinity]]]);
    await expect(part).toBeVisible();
    await page.getByLabel('Instead of the sound').selectOption('bleep');
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled();
    await page.getByRole('button', { name: 'Apply to 1 file' }).click();
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();
    const bleeped = await detectTones(await readDownload(await downloadBy(page, 'Download')));
    // Chromium cannot encode AAC.
    expect(bleeped.map(({ codec, burst }) => [codec, burst])).toEqual([['opus', [Infinity, -Infinity]]]);
    await track.press('Control+z');
    await expect(part).toBeVisible();
    await part.press('Delete');
    await expect(page.getByTestId('muted-part')).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(part).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByTestId('muted-part')).toHaveCount(0);
    // The result is still the muted one: the undone edits wait to be applied.
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Apply to 1 file' })).toBeEnabled();
  });
});
