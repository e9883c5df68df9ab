import { dropFromDisk, openApp, waitForStatus } from './support/app';
import { sumOf, watchFiles } from './support/first-load';
import { expect, test } from './support/hosts';
import { readShifts, watchShifts } from './support/layout-shifts';
import { samplePath, smallSample } from './support/samples';

test.use({ isFirstVisit: true });

/** A phone on a slow connection loads this in one or two seconds. */
const MAX_SCRIPT_BYTES = 350_000;
/** Each script is a request, and small ones are compressed worse: a part that is loaded later must not split others. */
const MAX_SCRIPTS = 16;

test('a page that is ready for the first image has loaded at most 16 scripts with 350 kB (gzip)', async ({
  context,
  page,
  origin,
}) => {
  const { byPage } = watchFiles(context, origin);
  await openApp(page);
  await page.locator('html[data-api=page]').waitFor();
  const scripts = [...byPage.values()].filter(({ kind }) => kind === 'script');
  expect(scripts.map(({ path }) => path).join(' ')).toMatch(
    /engine-worker.*mount-msw|mount-msw.*engine-worker/,
  );
  expect(scripts.length).toBeLessThanOrEqual(MAX_SCRIPTS);
  expect(sumOf(scripts).gzip).toBeLessThan(MAX_SCRIPT_BYTES);
});

test('a file that is dropped while the page still loads its scripts is added', async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.locator('#app').waitFor({ state: 'attached' });
  // Before the first frame there is nothing to drop on, and browsers sometimes send no event.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await dropFromDisk(page, samplePath(1));
  release();
  await waitForStatus(page, 'sample1.jpg', 'done');
  // From then on the page listens itself, and adds each file once.
  await dropFromDisk(page, samplePath(2));
  await waitForStatus(page, 'sample2.jpg', 'done');
  await expect(page.getByTestId('picture')).toHaveCount(2);
});

for (const [name, viewport] of Object.entries({
  'a wide screen': { width: 1280, height: 800 },
  'a phone': { width: 390, height: 844 },
})) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport });

    test('nothing moves by itself while models are loaded and images are processed', async ({ page }) => {
      await watchShifts(page);
      await openApp(page);
      expect(await readShifts(page), 'while models are loaded').toEqual([]);
      const files = await Promise.all(
        [1, 2].map(async (number) => ({
          ...{ name: `${number}.jpg`, mimeType: 'image/jpeg' },
          buffer: await smallSample(number),
        })),
      );
      await page.getByTestId('file-input').first().setInputFiles(files);
      for (const file of files) await waitForStatus(page, file.name, 'done');
      await expect(page.getByTestId('result')).toBeVisible();
      expect(await readShifts(page), 'while images are processed').toEqual([]);
    });
  });
}
