import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { readDownload } from './support/app';
import { DEFAULT_ORIGIN, expect, test as base } from './support/hosts';
import { meanDifference, readPixels } from './support/pixels';
import { readSample, tinySample } from './support/samples';
import { serveFiles } from './support/serve-files';
import { TINY_PAGE } from './support/tiny-product';

/** On two slow cores. The first upload in a tab loads the models. */
const ANSWER_LIMIT_MS = 180_000;
/** Mean difference between an image and its result if faces are hidden; compression alone makes less. */
const HIDDEN = 2;

/** Problems and requests that are recorded while a page is open. */
interface Watch {
  readonly complaints: string[];
  readonly foreign: string[];
  /** Method and path of requests to the API that left the tab. */
  readonly sent: string[];
}

const test = base.extend<{ watch: Watch; filesOrigin: string }>({
  filesOrigin: async ({}, use) => {
    const files = await serveFiles(TINY_PAGE);
    await use(files.origin);
    await files.stop();
  },
  watch: async ({ page }, use) => {
    const watch: Watch = { complaints: [], foreign: [], sent: [] };
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) watch.complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => watch.complaints.push(message));
    page.on('request', (request) => {
      const { protocol, origin, pathname } = new URL(request.url());
      if (protocol === 'blob:') return;
      if (origin !== new URL(page.url()).origin && page.url() !== 'about:blank') watch.foreign.push(origin);
      if (pathname.startsWith('/v1/')) watch.sent.push(`${request.method()} ${pathname}`);
    });
    await use(watch);
    expect(watch.foreign).toEqual([]);
  },
});

/** One of the three faces of a photo, of this size. */
const photoOfOneFace = (sidePx: number): Promise<Buffer> =>
  sharp(readSample(3))
    .extract({ left: 480, top: 200, width: 460, height: 460 })
    .resize(sidePx)
    .jpeg()
    .toBuffer();

const operation = (page: Page, id: string): Locator => page.getByTestId(`operation-${id}`);

const openOperation = async (page: Page, id: string): Promise<Locator> => {
  const card = operation(page, id);
  await card.locator('summary').first().click();
  return card;
};

const send = async (card: Locator): Promise<Locator> => {
  await card.getByRole('button', { name: 'Send' }).click();
  const answer = card.getByTestId('answer');
  await expect(answer).toBeVisible({ timeout: ANSWER_LIMIT_MS });
  return answer;
};

/** Requests the status, uploads a photo, and expects a result in which something is hidden. */
const tryMainJob = async (page: Page): Promise<void> => {
  const status = await send(await openOperation(page, 'getStatus'));
  await expect(status.getByTestId('status')).toHaveText('200');
  await expect(status).toContainText('"api_version": "v1"');

  const upload = await openOperation(page, 'uploadFile');
  await expect(upload.getByRole('button', { name: 'Send' })).toBeDisabled();
  const buffer = await tinySample(2);
  await upload
    .getByLabel('fileobject')
    .setInputFiles({ name: "it's a street.jpg", mimeType: 'image/jpeg', buffer });
  await upload.getByLabel('face', { exact: true }).selectOption('true');
  await expect(upload.getByRole('region', { name: 'curl command' })).toContainText('face=true');
  await expect((await send(upload)).getByTestId('status')).toHaveText('200');

  const download = await openOperation(page, 'getAnonymised');
  const answer = await send(download);
  await expect(answer.getByTestId('picture')).toBeVisible();
  const started = page.waitForEvent('download');
  await answer.getByRole('link', { name: 'Download' }).click();
  const [before, after] = [await readPixels(buffer), await readPixels(await readDownload(await started))];
  expect(after).toMatchObject({ width: before.width, height: before.height });
  // The tiny models find faces in a tenth of the image.
  expect(meanDifference(before, after, () => true)).toBeGreaterThan(HIDDEN);
};

test.describe('the API reference of a server', () => {
  test.beforeEach(async ({ page, watch }) => {
    await page.goto('/docs');
    await expect(page.getByRole('radio', { name: 'This server' })).toBeVisible();
    watch.sent.length = 0;
  });

  test('hides faces in this tab and sends nothing, unless the server is selected', async ({
    page,
    watch,
    context,
  }) => {
    await expect(page.getByRole('radio', { name: 'This tab' })).toBeChecked();
    await tryMainJob(page);
    expect(watch.sent).toEqual([]);
    expect(watch.complaints).toEqual([]);

    await context.setOffline(true);
    const list = await send(await openOperation(page, 'listTasks'));
    await expect(list).toContainText("it's a street.jpg");
  });

  test('sends requests to the server if it is selected', async ({ page, watch }) => {
    await page.getByRole('radio', { name: 'This server' }).check();
    await tryMainJob(page);
    expect(watch.sent).toEqual([
      'GET /v1/status',
      'POST /v1/file',
      expect.stringMatching(/^GET \/v1\/file\/[\da-f-]+\/anonymised$/),
    ]);
    expect(watch.complaints).toEqual([]);
  });

  test('sends the token, and does not display it', async ({ page }) => {
    await page.getByRole('radio', { name: 'This server' }).check();
    await page.getByLabel('Token').fill('topsecret');
    const card = await openOperation(page, 'getStatus');
    const sent = page.waitForRequest('**/v1/status');
    await send(card);
    expect((await sent).headers()['authorization']).toBe('Bearer topsecret');
    await expect(card.getByRole('region', { name: 'curl command' })).toContainText('Bearer <token>');
    expect(await page.locator('body').innerText()).not.toContain('topsecret');
  });

  test('shows the sentence of a refused request', async ({ page }) => {
    const card = await openOperation(page, 'deleteAllTasks');
    const answer = await send(card);
    await expect(answer.getByTestId('status')).toHaveText('422');
    await expect(answer).toContainText('confirm=true');
  });

  for (const target of ['This tab', 'This server']) {
    test(`shows why an Idempotency-Key beyond Latin-1 is refused: ${target}`, async ({ page }) => {
      await page.getByRole('radio', { name: target }).check();
      const card = await openOperation(page, 'uploadFile');
      const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await tinySample(2) };
      await card.getByLabel('fileobject').setInputFiles(file);
      await card.getByLabel('Idempotency-Key', { exact: true }).fill('鍵');
      const answer = await send(card);
      await expect(answer.getByTestId('status')).toHaveText('422');
      await expect(answer).toContainText('鍵');
    });
  }

  test('shows the address of the page in the examples', async ({ page, origin }) => {
    const examples = page.getByTestId('examples');
    for (const language of ['curl', 'Python', 'JavaScript']) {
      await examples.getByRole('radio', { name: language }).check();
      await expect(examples.locator('pre').first()).toContainText(origin);
    }
  });

  test('is reached by the link of the page, by its address with a slash, and by keyboard', async ({
    page,
  }) => {
    await page.goto('/docs/');
    await expect(page).toHaveURL(/\/docs$/);
    await page.goto('/');
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('link', { name: 'Health of the service' }).focus();
    await page.keyboard.press('Enter');
    await operation(page, 'getStatus').getByRole('button', { name: 'Send' }).focus();
    await page.keyboard.press('Enter');
    await expect(operation(page, 'getStatus').getByTestId('status')).toHaveText('200');
  });
});

test('the API reference on a static host hides faces in this tab', async ({ page, watch, filesOrigin }) => {
  await page.goto(`${filesOrigin}/docs`);
  await expect(page.getByTestId('target')).toContainText('No server answers');
  await expect(page.getByRole('radio', { name: 'This server' })).toHaveCount(0);
  watch.sent.length = 0;
  await tryMainJob(page);
  expect(watch.sent).toEqual([]);
});

// The tiny models compare no faces.
test.describe('the API reference of a server with the default models', () => {
  test.use({ baseURL: DEFAULT_ORIGIN });

  for (const target of ['This tab', 'This server']) {
    const tag = target === 'This tab' ? '@slow' : [];
    test(`sends several photos of a subject in one request: ${target}`, { tag }, async ({ page }) => {
      await page.goto('/docs');
      await page.getByRole('radio', { name: target }).check();
      const card = await openOperation(page, 'createSubject');
      const photos = await Promise.all([560, 400].map(photoOfOneFace));
      await card
        .getByLabel('fileobject')
        .setInputFiles(photos.map((buffer, i) => ({ name: `${i}.jpg`, mimeType: 'image/jpeg', buffer })));
      await expect(card.getByRole('region', { name: 'curl command' })).toContainText(
        /fileobject=@"0\.jpg".*fileobject=@"1\.jpg"/s,
      );
      const answer = await send(card);
      await expect(answer.getByTestId('status')).toHaveText('200');
      await expect(answer).toContainText('"photos": 2');
    });
  }
});
