import type { Locator, Page } from '@playwright/test';
import type { Raster } from '#shared/domain/raster';
import { createRaster, plainRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf } from '../server/testing/clips';
import { allAround } from '../server/testing/phone-panoramas';
import { violations } from './support/accessible';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { resetGraphics, shownGrey, sphereView } from './support/sphere-view';
import { videoMetadata } from './support/video-metadata';

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
  const view = sphereView(page);
  const position = page.getByRole('slider', { name: 'Position in the video' });
  for (const [i, grey] of GREYS.entries()) {
    await position.fill(String((i + 0.5) * FRAME_S));
    await expect.poll(async () => Math.abs((await shownGrey(view)) - grey), `frame ${i}`).toBeLessThan(12);
  }
  await resetGraphics(view);
  await expect
    .poll(async () => Math.abs((await shownGrey(view)) - GREYS[2]), 'after a reset')
    .toBeLessThan(12);
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

/** Light stripes, in which the tiny models find objects everywhere. */
const stripedClip = async (): Promise<Uint8Array> => {
  const raster = createRaster(SIZE.width, SIZE.height, (x) =>
    x % 8 < 4 ? [190, 190, 190] : [240, 240, 240],
  );
  return allAround(await encodeClip({ frames: GREYS.map((_, i) => [i * FRAME_S, raster]) }));
};

type Place = readonly [x1: number, y1: number, x2: number, y2: number];

/** Where the objects of each frame are, by track. A track at the seam has two places. */
const placesOf = async (page: Page) =>
  (await videoMetadata(page)).map(({ detections }) => {
    const places = new Map<number, Place[]>();
    for (const { track_id: track = -1, bbox } of detections) {
      places.set(track, [...(places.get(track) ?? []), bbox as unknown as Place]);
    }
    return places;
  });

/** What a frame shows in the middle of a place. */
const greyIn = ({ width, data }: Raster, [x1, y1, x2, y2]: Place): number =>
  data[4 * (Math.round((y1 + y2) / 2) * width + Math.round((x1 + x2) / 2))] ?? Number.NaN;

test('a user looks around in a 360° video, moves a track, and makes one at the seam visible', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await openApp(page);
  await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: await stripedClip() }]);
  await waitForStatus(page, CLIP, 'done');
  // Another method searches again, which resets edits of tracks.
  await page.getByRole('radio', { name: 'Blacken' }).check();
  const apply = page.getByRole('button', { name: /^Apply/ });
  await apply.click();
  await expect(apply).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();
  const before = await placesOf(page);
  const [first] = before;
  const atSeam = [...first!].find(([, places]) => places.length === 2)![0];
  const moved = [...first!].find(([, [place, other]]) => !other && place![3] < SIZE.height / 4)![0];
  const rowOf = (track: number): Locator => page.locator(`[data-testid=track][data-track="${track}"]`);

  await page.getByRole('button', { name: 'Look around' }).click();
  const sphere = page.getByTestId('sphere');
  await rowOf(moved)
    .getByRole('button', { name: /^Change place or class: Face/ })
    .click();
  const box = sphere.getByRole('group', { name: 'Drawn box' });
  await expect(box).toBeFocused();
  for (let steps = 0; steps < 50; steps += 1) await box.press('ArrowDown');
  expect(await violations(page), 'changing').toEqual([]);
  await sphere.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(page.getByTestId('draw-box')).toHaveCount(0);
  await rowOf(atSeam).getByRole('checkbox').uncheck();
  await apply.click();
  const result = await framesOf(await readDownload(await downloadBy(page, 'Download')));

  expect(result).toHaveLength(GREYS.length);
  const after = await placesOf(page);
  for (const [i, { raster }] of result.entries()) {
    const [from, to] = [before, after].map((frames) => frames[i]!.get(moved)![0]!);
    expect(to![1] - from![1], `frame ${i}, moved down`).toBeGreaterThan(from![3] - from![1]);
    expect([to![0], to![2]], `frame ${i}, neither left nor right`).toEqual([from![0], from![2]]);
    expect(greyIn(raster, to!), `frame ${i}, hidden at its new place`).toBeLessThan(40);
    expect(greyIn(raster, from!), `frame ${i}, visible at the old one`).toBeGreaterThan(150);
    for (const place of before[i]!.get(atSeam)!) {
      expect(greyIn(raster, place), `frame ${i}, at the seam`).toBeGreaterThan(150);
    }
  }
});
