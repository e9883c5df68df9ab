import type { Manifest } from '#shared/domain/manifest';
import { drop, jpegFile, openApp, pictureNamed, waitForStatus } from './support/app';
import { DEFAULT_ORIGIN, expect, test } from './support/hosts';
import { smallSample } from './support/samples';

test('what runs is listed, and how fast it is can be measured', async ({ page }) => {
  await openApp(page);
  await page.getByTestId('engine').click();
  const models = page.getByTestId('models');
  const manifest = (await (await page.request.get('/models/manifest.json')).json()) as Manifest;
  await expect(models).toContainText('All models are loaded and run on ');
  await expect(models.getByRole('row')).toHaveCount(manifest.models.length + 1);
  const speed = page.getByTestId('speed');
  await speed.getByRole('button', { name: 'Measure' }).click();
  await expect(speed).toContainText(/\d\.\d\d sec for an image/, { timeout: 90_000 });
});

test.describe('with models that take their time', () => {
  test.use({ baseURL: DEFAULT_ORIGIN });

  test('a worker that ends in the middle of a picture is replaced, and no picture is lost', async ({
    page,
  }) => {
    await openApp(page);
    const engine = page.workers().find((worker) => worker.url().includes('engine-worker'));
    const photo = await smallSample(2);
    await drop(page, [jpegFile('first.jpg', photo), jpegFile('second.jpg', photo)]);
    await expect(pictureNamed(page, 'first.jpg')).toHaveAttribute('data-status', 'processing');
    // Without a word, as where memory has run out.
    await engine?.evaluate(() => self.close());
    await waitForStatus(page, 'first.jpg', 'done');
    await waitForStatus(page, 'second.jpg', 'done');
    await expect(page.getByTestId('engine')).toHaveAttribute('data-state', 'ready');
    expect(engine).toBeDefined();
  });
});

test('a picture for which memory does not suffice is searched piece by piece by a fresh worker, and says so', async ({
  page,
}) => {
  await openApp(page);
  const engine = page.workers().find((worker) => worker.url().includes('engine-worker'));
  // At the very last step: nothing of the first try may be taken for a result.
  await engine?.evaluate(() => {
    OffscreenCanvas.prototype.convertToBlob = () =>
      Promise.reject(new RangeError('Array buffer allocation failed'));
  });
  await drop(page, [jpegFile('huge.jpg', await smallSample(2))]);
  await waitForStatus(page, 'huge.jpg', 'done');
  await expect(page.getByTestId('facts')).toContainText('3 faces');
  await expect(page.getByTestId('spared-memory')).toBeVisible();
  // The browser reports the end of a worker some time after it has ended.
  await expect.poll(() => page.workers().includes(engine!)).toBe(false);
});
