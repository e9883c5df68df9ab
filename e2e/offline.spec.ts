import type { Locator, Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { downloadBy, drop, jpegFile, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, openPage, test } from './support/hosts';
import { makeDrive } from './support/made-bag';
import { countFacesIndependently } from './support/independent-faces';
import { smallSample, tinySample } from './support/samples';
import { type FileHost, serveFiles } from './support/serve-files';
import { type RunningServer, startServer } from './support/start-server';
import { startTinyServer, TINY_PAGE } from './support/tiny-product';
import { type LonePage, openLonePage } from './support/lone-page';
import { german } from '../web/app/messages/de';
import { english } from '../web/app/messages/en';

test.use({ isFirstVisit: true });

const PHOTO = 'street.jpg';

/** Opens the dialog "On this device", and returns its part about offline storage. */
const openOffline = async (page: Page): Promise<Locator> => {
  await page.getByTestId('engine').click();
  return page.getByTestId('offline');
};

/** Opens the page, and waits until all files for offline use are stored. */
const visit = async (page: Page, origin: string): Promise<Locator> => {
  await openApp(page, origin);
  const offline = await openOffline(page);
  await expect(offline).toHaveAttribute('data-state', 'stored', { timeout: 60_000 });
  return offline;
};

const storedNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

// With the tiny models: `privacy.spec.ts` anonymises without a network, and `own-models.spec.ts` opens the page.
test(
  'after one visit the page opens in a new tab without server and network, and hides faces',
  { tag: '@slow' },
  async ({ context }) => {
    const server = await startServer();
    const first = await context.newPage();
    await visit(first, server.origin);
    await first.close();
    await server.stop();
    await context.setOffline(true);

    const page = await context.newPage();
    await openApp(page, server.origin);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const original = await smallSample(2);
    expect(await countFacesIndependently(original)).toBeGreaterThan(0);
    await drop(page, [jpegFile(PHOTO, original)]);
    await waitForStatus(page, PHOTO, 'done');
    expect(await countFacesIndependently(await readDownload(await downloadBy(page, 'Download')))).toBe(0);
    // Its code is loaded then, from the files for offline use.
    await drop(page, [jpegFile('second.jpg', await smallSample(1))]);
    await waitForStatus(page, 'second.jpg', 'done');
    const archive = unzipSync(await readDownload(await downloadBy(page, /^Download all/)));
    expect(Object.keys(archive)).toHaveLength(2);

    await page.goto(`${server.origin}/docs`);
    await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible();
  },
);

const HOSTS = {
  'a server': () => startTinyServer(),
  'a static host': () => serveFiles(TINY_PAGE),
} satisfies Record<string, () => Promise<RunningServer>>;

/** Collects the first-level headings that a page shows, in order. */
const watchHeadlines = async (page: Page): Promise<readonly string[]> => {
  const headlines: string[] = [];
  await page.exposeFunction('reportHeadline', (text: string) => headlines.push(text));
  await page.addInitScript(() => {
    const { reportHeadline } = globalThis as unknown as { reportHeadline(text: string): void };
    const report = (): void => {
      const text = document.querySelector('h1')?.textContent;
      if (text) reportHeadline(text);
    };
    new MutationObserver(report).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return headlines;
};

test('after a visit, the help opens the guide of the page offline, its files stay open, and a bag is anonymised', async ({
  context,
}) => {
  const host = await serveFiles(TINY_PAGE);
  const page = await context.newPage();
  await visit(page, host.origin);
  await page.keyboard.press('Escape');
  await drop(page, [jpegFile(PHOTO, await tinySample(2))]);
  await waitForStatus(page, PHOTO, 'done');
  await host.stop();
  await context.setOffline(true);

  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: english.header.help }).click();
  await page.getByRole('link', { name: 'Guide of the page' }).click();
  const guide = await opened;
  await expect(guide.getByRole('heading', { level: 1, name: 'Guide of the page' })).toBeVisible();
  await guide.getByRole('navigation').getByRole('link', { name: 'Uncertain objects' }).click();
  await expect(guide.getByRole('heading', { name: 'Uncertain objects' })).toBeInViewport();
  for (const image of await guide.getByRole('img').all()) {
    await image.scrollIntoViewIfNeeded();
    await expect(image).toHaveJSProperty('complete', true);
    expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(
      100,
    );
  }
  await guide.goto(`${host.origin}/help.de.html`);
  await expect(guide.getByRole('heading', { level: 1, name: 'Anleitung der Seite' })).toBeVisible();
  await expect(itemNamed(page, PHOTO)).toHaveAttribute('data-status', 'done');

  // All that bags need is stored, too.
  await page.keyboard.press('Escape');
  await drop(page, [{ name: 'drive.mcap', type: '', bytes: await makeDrive(['/rear', '/points']) }]);
  const bag = page.getByTestId('bag');
  await expect(bag).toHaveAttribute('data-state', 'listed');
  await page.getByRole('button', { name: 'Anonymise', exact: true }).click();
  await expect(bag).toHaveAttribute('data-state', 'done');
});

// In a browser with a network, `accessibility.spec.ts` opens the page in the stored language.
for (const [name, start] of Object.entries(HOSTS)) {
  test(
    `after a visit in English, the page of ${name} opens offline in German, and never shows English`,
    { tag: '@slow' },
    async ({ context }) => {
      const host = await start();
      const first = await context.newPage();
      await visit(first, host.origin);
      await host.stop();
      await context.setOffline(true);
      await first.keyboard.press('Escape');
      await first.getByRole('combobox', { name: english.header.language }).selectOption('de');
      await expect(first.getByRole('heading', { level: 1 })).toHaveText(german.welcome.title);

      const second = await context.newPage();
      const headlines = await watchHeadlines(second);
      await openApp(second, host.origin);
      expect(new Set(headlines)).toEqual(new Set([german.welcome.title]));
      await expect(second.locator('html')).toHaveAttribute('lang', 'de');
    },
  );
}

test.describe('a page on a static host', () => {
  let files: FileHost;
  test.beforeEach(async () => {
    files = await serveFiles(TINY_PAGE);
  });
  test.afterEach(() => files.stop());

  test('can be installed', async ({ page }) => {
    await page.goto(files.origin);
    const session = await page.context().newCDPSession(page);
    const { errors, url } = await session.send('Page.getAppManifest');
    expect([errors, url]).toEqual([[], `${files.origin}/manifest.webmanifest`]);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  /** Publishes a new version while `page` is open, and accepts it. */
  const expectUpdate = async (page: LonePage): Promise<void> => {
    const isTrue = (expression: string) =>
      expect.poll(() => page.evaluate(expression), { timeout: 60_000 }).toBe(true);
    const isReady = `document.documentElement?.dataset.api === 'page'`;
    const accept = `document.querySelector('[data-testid=update] button')`;
    const isWaiting = `navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)`;
    await isTrue(isReady);

    files.publishNext();
    await page.evaluate('void (globalThis.isBeforeReload = true, location.reload())');
    await isTrue(`!globalThis.isBeforeReload && ${accept} !== null`);
    await isTrue(isWaiting);

    await page.evaluate(`void (globalThis.isBeforeUpdate = true, ${accept}.click())`);
    await isTrue(`!globalThis.isBeforeUpdate && ${isReady} && ${accept} === null`);
    expect(await page.evaluate(isWaiting)).toBe(false);
  };

  test('asks before it starts a new version, and starts it after confirmation', async () => {
    const page = await openLonePage(files.origin);
    try {
      await expectUpdate(page);
    } finally {
      await page.close();
    }
  });

  test('shows the size of the stored data, and removes all of it', async ({ page }) => {
    const offline = await visit(page, files.origin);
    await expect(offline.getByTestId('usage')).toContainText(/keeps \d+ MB/);
    expect((await storedNames(page)).length).toBeGreaterThan(0);
    await offline.getByRole('button', { name: 'Remove stored data' }).click();
    await expect(offline).toHaveAttribute('data-state', 'removed');
    expect(await storedNames(page)).toEqual([]);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(
      0,
    );
  });
});

test.describe('a page that was visited before', () => {
  test.use({ isFirstVisit: false });

  test('receives files that another app shares, and sends nothing', async ({ page, context, origin }) => {
    await openPage(page, origin);
    await page.close();
    const other = await context.newPage();
    await context.setOffline(true);
    // Like the operating system does for an installed page.
    await other.setContent(
      `<form method="post" enctype="multipart/form-data" action="${origin}/share">
        <input type="file" name="files" multiple><button>Share</button></form>`,
    );
    const shared = { mimeType: 'image/jpeg', buffer: Buffer.from('no image') };
    await other.locator('input').setInputFiles(['a.jpg', 'b.jpg'].map((name) => ({ ...shared, name })));
    await other.getByRole('button', { name: 'Share' }).click();
    for (const name of ['a.jpg', 'b.jpg']) await expect(itemNamed(other, name)).toBeVisible();
    expect(new URL(other.url()).pathname).toBe('/');
    await expect(other.getByTestId('sent')).toHaveAttribute('data-sent', 'false');
  });
});

test.describe('a request of a script in the page', () => {
  test.use({ isFirstVisit: false });

  /** Stops the service worker, as a browser does with an idle one. */
  const stopWorkers = async (page: Page): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
  };

  /** Uploads with the page's own `fetch`. */
  const uploadByScript = (page: Page): Promise<{ status: number; body: string }> =>
    page.evaluate(async () => {
      const form = new FormData();
      form.append('fileobject', new Blob(['private'], { type: 'image/jpeg' }), 'private.jpg');
      const response = await fetch('/v1/file', { method: 'POST', body: form });
      return { status: response.status, body: await response.text() };
    });

  test('is answered by the page after the browser has stopped the service worker', async ({
    page,
    context,
    origin,
  }) => {
    await openPage(page, origin);
    // The server cannot answer.
    await context.setOffline(true);
    await stopWorkers(page);
    const { status, body } = await uploadByScript(page);
    expect(status).toBe(422);
    expect(body).toContain('not an image');
  });

  test('is refused if no page answers, and is not sent', async ({ page, origin }) => {
    await openPage(page, origin);
    await page.goto('/docs');
    await expect(page.getByRole('radio', { name: 'This server' })).toBeVisible();
    const { status, body } = await uploadByScript(page);
    expect(status).toBe(503);
    expect(body).toContain('nothing was sent');
  });

  test('is sent to the server if the server is selected in the API reference', async ({ page, origin }) => {
    await openPage(page, origin);
    await page.goto('/docs');
    await page.getByRole('radio', { name: 'This server' }).check();
    const card = page.getByTestId('operation-getStatus');
    await card.locator('summary').first().click();
    await card.getByRole('button', { name: 'Send' }).click();
    await expect(card.getByTestId('answer').getByTestId('status')).toHaveText('200');
  });
});
