import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Report } from '#shared/api/contract/schemas-report';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';
import { encodeClip } from '../server/testing/clips';
import { violations } from './support/accessible';
import {
  downloadBy,
  drop,
  openApp,
  itemNamed,
  readDownload,
  selectServer,
  waitForStatus,
} from './support/app';
import { expect, test } from './support/hosts';
import { meanDifference, readPixels } from './support/pixels';

const SIDE = 256;
const STRIPE_PX = 16;
const FRAMES = 8;
const REVIEWER = 'Ada Müller';
/** The tiny model scales its scores, which are about 0.95, by the contrast: 26 of 255 or more are full contrast. */
const [JUST_ABOVE, JUST_BELOW] = [14.6, 12.4];

/** Stripes of two grey values. */
const stripes = (contrast: number): Uint8Array => {
  const data = new Uint8Array(SIDE * SIDE * 4).fill(255);
  for (let at = 0; at < SIDE * SIDE; at++) {
    const isBright = Math.floor((at % SIDE) / STRIPE_PX) % 2 === 0;
    data.fill(Math.round(120 + (isBright ? contrast : 0)), 4 * at, 4 * at + 3);
  }
  return data;
};

const image = async (name: string, contrast: number) => ({
  ...{ name, type: 'image/png' },
  bytes: await sharp(stripes(contrast), { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer(),
});

const video = async (name: string) => ({
  ...{ name, type: 'video/mp4' },
  bytes: await encodeClip({
    frames: Array.from({ length: FRAMES }, (_, i) => {
      const raster = { width: SIDE, height: SIDE, data: stripes(JUST_ABOVE) };
      return [i * 0.04, raster] as const;
    }),
  }),
});

const [ABOVE, BELOW, CLIP] = ['above.png', 'below.png', 'clip.mp4'];
const view = (page: Page) => page.getByTestId('uncertain-view');
const open = (page: Page) => page.getByRole('button', { name: /^Uncertain/ });

/** Tasks of the page by file name. */
const tasksOf = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(async () => {
    const list = (await (await fetch('/v1/task/list')).json()) as { id: string }[];
    const tasks = await Promise.all(
      list.map(async ({ id }) => (await (await fetch(`/v1/task/${id}`)).json()) as { filename: string }),
    );
    return Object.fromEntries(tasks.map(({ filename }, i) => [filename, list[i]!.id]));
  });

const getJson = <Answer>(page: Page, path: string): Promise<Answer> =>
  page.evaluate(async (address) => (await (await fetch(address)).json()) as unknown, path) as Promise<Answer>;

/** Answers the question for the name, which is asked once. */
const start = async (page: Page, name = REVIEWER): Promise<void> => {
  await page.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await expect(view(page)).toBeFocused();
};

const saved = async (page: Page, name: string) => {
  await itemNamed(page, name).getByRole('button').first().click();
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled();
  return readPixels(await readDownload(await downloadBy(page, 'Download')));
};

test.describe('a person who reviews uncertain objects by keyboard', () => {
  test('changes the results of images and of a video, and is named in their reports', async ({ page }) => {
    const files = [await image(ABOVE!, JUST_ABOVE), await image(BELOW!, JUST_BELOW), await video(CLIP!)];
    await openApp(page);
    await drop(page, files);
    for (const { name } of files) await waitForStatus(page, name, 'done');
    const [first, second] = await Promise.all(
      [ABOVE, BELOW].map((name) => readPixels(files.find((one) => one.name === name)!.bytes)),
    );
    expect(meanDifference(first!, await saved(page, ABOVE!), () => true)).toBeGreaterThan(0);
    expect(meanDifference(second!, await saved(page, BELOW!), () => true)).toBe(0);

    await page.keyboard.press('F2');
    await start(page);
    const count = Number((await page.getByTestId('uncertain-position').innerText()).split(' ').at(-1));
    expect(count).toBe(9);
    for (let at = 0; at < count; at++) {
      await expect(view(page)).toHaveAttribute('data-ready', 'true');
      const label = await view(page).getAttribute('aria-label');
      // Everything is decided against the detector.
      await page.keyboard.press(label?.includes(BELOW!) ? 'h' : 's');
    }
    await expect(page.getByText('9 objects decided')).toBeVisible();
    // At once, also while the list is open.
    const tasks = await tasksOf(page);
    for (const name of [ABOVE, BELOW, CLIP]) {
      const one = { decision: name === BELOW ? 'hidden' : 'visible', reviewer: REVIEWER };
      const decisions = async () =>
        (await getJson<Report>(page, `/v1/file/${tasks[name!]}/report`)).edits.decisions;
      await expect.poll(decisions, name).toMatchObject([one, one, one]);
    }
    await page.keyboard.press('Escape');
    await expect(open(page)).toBeDisabled();
    await waitForStatus(page, CLIP!, 'done');
    expect(meanDifference(first!, await saved(page, ABOVE!), () => true)).toBe(0);
    expect(meanDifference(second!, await saved(page, BELOW!), () => true)).toBeGreaterThan(0);

    await expect
      .poll(async () => (await getJson<Report>(page, `/v1/file/${tasks[CLIP!]}/report`)).edits.count)
      .toBe(1);
    const frames = await getJson<VideoMetadata>(page, `/v1/file/${tasks[CLIP!]}/video/metadata`);
    expect(frames.flatMap(({ detections }) => detections.filter((one) => one.is_anonymised))).toEqual([]);
    for (const name of [ABOVE, BELOW, CLIP]) {
      const { edits } = await getJson<Report>(page, `/v1/file/${tasks[name!]}/report`);
      expect(edits.applied, name).toEqual([
        { at: expect.stringMatching(/^\d{4}-/), version: expect.any(String), reviewer: REVIEWER, decided: 3 },
      ]);
    }
  });

  test('confirms a hidden track of a video, which its report names without a new rendering', async ({
    page,
  }) => {
    await openApp(page);
    await drop(page, [await video(CLIP!)]);
    await waitForStatus(page, CLIP!, 'done');
    await page.keyboard.press('F2');
    await start(page);
    await page.keyboard.press('h');
    await page.keyboard.press('Escape');
    const [id] = Object.values(await tasksOf(page));
    const report = () => getJson<Report>(page, `/v1/file/${id}/report`);
    await expect.poll(async () => (await report()).edits.decisions.length).toBe(1);
    const { edits } = await report();
    expect([edits.count, edits.decisions[0]]).toMatchObject([
      0,
      { decision: 'hidden', type_label: 'face', reviewer: REVIEWER, at: expect.stringMatching(/^\d{4}-/) },
    ]);
    const html = await page.evaluate(
      async (path) => (await fetch(path)).text(),
      `/v1/file/${id}/report.html`,
    );
    expect(html).toContain(`reviewer: ${REVIEWER}`);
  });

  test('keeps decisions that a server refuses, and sends them again on request', async ({
    page,
    request,
  }) => {
    await openApp(page);
    await selectServer(page);
    const name = `refused-${test.info().parallelIndex}-${test.info().repeatEachIndex}.png`;
    await drop(page, [await image(name, JUST_ABOVE)]);
    await waitForStatus(page, name, 'done');
    let isRefusing = true;
    await page
      .context()
      .route(/\/v1\/task\/[^/]+\/(edits|decisions)$/, (route) =>
        isRefusing && route.request().method() === 'PUT' ? route.abort() : route.continue(),
      );
    await open(page).click();
    await start(page);
    const alert = page.getByRole('dialog').getByRole('alert');
    await page.keyboard.press('s');
    await expect(alert).toContainText('The decisions about 1 file are not in the report yet');
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    await expect(alert).toContainText('The edits of 1 file could not be applied');
    isRefusing = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toBeEmpty();
    const list = (await (await request.get('/v1/task/list')).json()) as { id: string }[];
    const tasks = await Promise.all(
      list.map(
        async ({ id }) =>
          (await (await request.get(`/v1/task/${id}`)).json()) as { id: string; filename: string },
      ),
    );
    const { id } = tasks.find(({ filename }) => filename === name)!;
    const editsOf = async () => ((await (await request.get(`/v1/file/${id}/report`)).json()) as Report).edits;
    await expect
      .poll(async () => (await editsOf()).applied)
      .toMatchObject([{ reviewer: REVIEWER, decided: 3 }]);
    const edits = await editsOf();
    expect(edits.decisions.map(({ decision, reviewer }) => [decision, reviewer])).toEqual(
      Array.from({ length: 3 }, () => ['visible', REVIEWER]),
    );
  });

  test('goes back with one key, which takes the decision back, and is not asked for a name again', async ({
    page,
  }) => {
    await openApp(page);
    await drop(page, [await image(ABOVE!, JUST_ABOVE)]);
    await waitForStatus(page, ABOVE!, 'done');
    const before = await saved(page, ABOVE!);
    await open(page).click();
    await start(page, '');
    await page.keyboard.press('s');
    await expect(page.getByTestId('uncertain-position')).toHaveText('2 of 3');
    await page.keyboard.press('u');
    await expect(page.getByTestId('uncertain-position')).toHaveText('1 of 3');
    await page.keyboard.press('Escape');
    expect(meanDifference(before, await saved(page, ABOVE!), () => true)).toBe(0);
    await page.keyboard.press('F2');
    await expect(view(page)).toBeFocused();
    await expect(page.getByTestId('uncertain-position')).toHaveText('1 of 3');
    expect(await violations(page)).toEqual([]);
  });
});
