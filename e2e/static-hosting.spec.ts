import type { Page } from '@playwright/test';
import { downloadBy, drop, jpegFile, readDownload, waitForStatus } from './support/app';
import { expect, openPage, test as base } from './support/hosts';
import { countFacesIndependently } from './support/independent-faces';
import { smallSample } from './support/samples';
import { BUILT_PAGE, type PlainHost, servePlain } from './support/serve-plain';
import { TINY_PAGE } from './support/tiny-product';

const PHOTO = 'street.jpg';

const PROBE = '/v1/status';

const isIsolated = (page: Page): Promise<boolean> => page.evaluate(() => crossOriginIsolated);

/** The backend that the page shows once its models are loaded. */
const runtimeOf = async (page: Page): Promise<string> => {
  const engine = page.getByTestId('engine');
  await expect(engine).toHaveAttribute('data-state', 'ready', { timeout: 90_000 });
  return (await engine.textContent()) ?? '';
};

/** `built`: folder with the files of the page. */
const test = base.extend<{ built: string; host: PlainHost }>({
  built: [BUILT_PAGE, { option: true }],
  host: async ({ built }, use) => {
    const host = await servePlain('/tools/veil/', built);
    await use(host);
    await host.stop();
  },
});

test.describe('with tiny models, in a folder of a static host without headers', () => {
  test.use({ built: TINY_PAGE });

  test('the first visit uses one thread, and later visits use all threads', async ({ page, host }) => {
    let loads = 0;
    page.on('load', () => (loads += 1));
    await openPage(page, host.page);
    expect(await isIsolated(page)).toBe(false);
    expect(await runtimeOf(page)).toContain('1 thread');

    for (const visit of [2, 3]) {
      await openPage(page, host.page);
      expect(await isIsolated(page)).toBe(true);
      expect(await runtimeOf(page)).toMatch(/[2-9] threads/);
      expect(loads, 'the page never reloads by itself').toBe(visit);
    }
  });
});

// With the tiny models above: `docs.spec.ts` hides faces on a static host.
test.describe('in a folder of a static host without headers', { tag: '@slow' }, () => {
  test('the page hides faces with all threads, answers the API, and requests nothing outside its folder', async ({
    page,
    host,
  }) => {
    await openPage(page, host.page);
    await openPage(page, host.page);
    await drop(page, [jpegFile(PHOTO, await smallSample(2))]);
    await waitForStatus(page, PHOTO, 'done');
    const result = await readDownload(await downloadBy(page, 'Download'));
    expect(await countFacesIndependently(result)).toBe(0);
    const status = await page.evaluate(async (probe) => (await fetch(probe)).status, PROBE);
    expect(status).toBe(200);
    expect(host.asked).not.toContain(PROBE);

    await page.goto(`${host.page}docs.html`);
    await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible();
    expect(await isIsolated(page)).toBe(true);
    // The API reference asks for a server at its address; the page answers all other API requests.
    expect(new Set(host.asked.filter((path) => !path.startsWith('/tools/veil/')))).toEqual(new Set([PROBE]));
  });
});
