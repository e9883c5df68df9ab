import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { RECOMMENDED_STAND_INS } from '../models/packs/test/recommended-stand-ins';
import { launchOptions } from './run/launch-options';
import { violations } from './support/accessible';
import { openApp } from './support/app';
import { expect, test as base } from './support/hosts';
import { ELSEWHERE, HUB, STORAGE, startModelHub, type ModelHub } from './support/model-hub';

/** A browser that finds a hub on this machine, at the addresses of the catalogue. */
const test = base.extend<{ hub: ModelHub; ownBrowser: Browser }>({
  hub: async ({}, use) => {
    const hub = await startModelHub();
    await use(hub);
    hub.stop();
  },
  ownBrowser: async ({ hub }, use) => {
    const options = launchOptions();
    const browser = await chromium.launch({ ...options, args: [...options.args, hub.resolverRules] });
    await use(browser);
    await browser.close();
  },
  context: async ({ ownBrowser, baseURL }, use) => {
    const context = await ownBrowser.newContext({ baseURL: baseURL!, ignoreHTTPSErrors: true });
    await use(context);
    await context.close();
  },
});

const openModels = async (page: Page): Promise<{ models: Locator; recommended: Locator; add: Locator }> => {
  await page.getByTestId('engine').click();
  const recommended = page.getByTestId('recommended');
  const add = recommended.getByRole('button', { name: /^Add recommended models/ });
  return { models: page.getByTestId('models'), recommended, add };
};
const hostsOf = ({ asked }: ModelHub) => asked.map(({ headers }) => headers.host);

test('recommended models are downloaded after a click alone, tested, used, and kept without a network', async ({
  page,
  context,
  hub,
}) => {
  await openApp(page);
  const { models, recommended, add } = await openModels(page);
  await expect(recommended).toContainText(
    /dfine-nano, for Fast and Balanced: .* MB, Apache-2.0 .*huggingface/,
  );
  await expect(recommended).toContainText('Not run by us');
  await expect(add).toBeVisible();
  expect(await violations(page), 'the offer').toEqual([]);
  expect(hub.asked).toEqual([]);

  await add.click();
  await expect(recommended).toHaveAttribute('data-state', 'added');
  await expect(recommended).toContainText('are added');
  const rows = models.getByTestId('own-model');
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: 'dfine-nano' })).toContainText('in use for Fast and Balanced');
  await expect(models.locator('[data-testid=own-model][data-use=used]')).toHaveCount(2);
  expect(hostsOf(hub)).toEqual([HUB, STORAGE, HUB, STORAGE]);
  for (const { method, headers } of hub.asked) {
    expect(method).toBe('GET');
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('referer');
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('content-length');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '0 bytes sent' }).click();
  for (const { url } of RECOMMENDED_STAND_INS) {
    await expect(page.getByRole('cell', { name: url, includeHidden: true })).toBeAttached();
  }

  await context.setOffline(true);
  await openApp(page);
  await openModels(page);
  await expect(models.locator('[data-testid=own-model][data-use=used]')).toHaveCount(2);
  await expect(recommended).toContainText('are added');
});

test('a download that was cancelled or interrupted is resumed', { tag: '@slow' }, async ({ page, hub }) => {
  await openApp(page);
  const { recommended, add } = await openModels(page);
  const received = recommended.getByRole('progressbar');
  hub.behaviour.stopsAfter = 100;
  await add.click();
  await expect(received).toHaveAttribute('value', '100');
  await recommended.getByRole('button', { name: 'Cancel' }).click();
  await expect(recommended).toHaveAttribute('data-state', 'none');
  await add.click();
  await expect(received).toHaveAttribute('value', '200');
  hub.cut();
  await expect(recommended.getByRole('alert')).toContainText('what was received is kept');
  hub.behaviour.stopsAfter = Number.POSITIVE_INFINITY;
  await add.click();
  await expect(recommended).toHaveAttribute('data-state', 'added');
  const ranges = hub.asked
    .filter(({ headers }) => headers.host === STORAGE)
    .map(({ headers }) => headers.range);
  expect(ranges).toEqual([undefined, 'bytes=100-', 'bytes=200-', undefined]);
});

test(
  'another file than the described one is refused and removed',
  { tag: '@slow' },
  async ({ page, hub }) => {
    await openApp(page);
    const { models, recommended, add } = await openModels(page);
    hub.behaviour.other = RECOMMENDED_STAND_INS[0]!.file.map((byte) => byte ^ 1);
    await add.click();
    await expect(recommended.getByRole('alert')).toContainText('another file');
    await expect(models.getByTestId('own-model')).toHaveCount(0);
    hub.behaviour.other = undefined;
    await add.click();
    await expect(recommended).toHaveAttribute('data-state', 'added');
  },
);

test('only the worker that downloads models may connect to their hub, and only to it', async ({
  page,
  hub,
}) => {
  await openApp(page);
  const { recommended, add } = await openModels(page);
  const connects = (url: string): Promise<boolean> =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      url,
    );
  for (const { url } of RECOMMENDED_STAND_INS) expect(await connects(url)).toBe(false);
  expect(hub.asked).toEqual([]);
  hub.behaviour.storage = ELSEWHERE;
  await add.click();
  await expect(recommended.getByRole('alert')).toContainText('cannot be reached');
  expect(hostsOf(hub)).toEqual([HUB]);
});
