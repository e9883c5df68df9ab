import type { Manifest } from '#shared/domain/manifest';
import { RAMP_JPEG } from '#shared/testing/ramp-images';
import { drop, jpegFile, openApp, itemNamed, waitForStatus } from './support/app';
import { DEFAULT_ORIGIN, expect, test } from './support/hosts';
import { smallSample, tinySample } from './support/samples';

test('the dialog lists the models in use, and measures the speed', async ({ page }) => {
  await openApp(page);
  await page.getByTestId('engine').click();
  const models = page.getByTestId('models');
  const manifest = (await (await page.request.get('/models/manifest.json')).json()) as Manifest;
  await expect(models).toContainText('All models are loaded and run on ');
  await expect(models.getByRole('row')).toHaveCount(manifest.models.length + 1);
  const speed = page.getByTestId('speed');
  await speed.getByRole('button', { name: 'Measure' }).click();
  await expect(speed).toContainText(/\d\.\d\d sec for an image/);
});

test.describe('with the default models', { tag: '@slow' }, () => {
  test.use({ baseURL: DEFAULT_ORIGIN });

  test('a worker that ends during processing is replaced, and its image is processed again', async ({
    page,
  }) => {
    await openApp(page);
    const engine = page.workers().find((worker) => worker.url().includes('engine-worker'));
    await drop(page, [jpegFile('first.jpg', await smallSample(2)), jpegFile('second.jpg', RAMP_JPEG)]);
    await expect(itemNamed(page, 'first.jpg')).toHaveAttribute('data-status', 'processing');
    // Without an error event, as after out of memory.
    await engine?.evaluate(() => self.close());
    await waitForStatus(page, 'first.jpg', 'done');
    await waitForStatus(page, 'second.jpg', 'done');
    await expect(page.getByTestId('engine')).toHaveAttribute('data-state', 'ready');
    expect(engine).toBeDefined();
  });
});

test('after out of memory an image is processed in parts by a new worker, and the page reports that', async ({
  page,
}) => {
  await openApp(page);
  const engine = page.workers().find((worker) => worker.url().includes('engine-worker'));
  // At the last step, so that a partial result of the first attempt would be noticed.
  await engine?.evaluate(() => {
    OffscreenCanvas.prototype.convertToBlob = () =>
      Promise.reject(new RangeError('Array buffer allocation failed'));
  });
  await drop(page, [jpegFile('huge.jpg', await tinySample(2))]);
  await waitForStatus(page, 'huge.jpg', 'done');
  await expect(page.getByTestId('facts')).toContainText('3 faces');
  await expect(page.getByTestId('spared-memory')).toBeVisible();
  // The browser reports the end of a worker some time after it has ended.
  await expect.poll(() => page.workers().includes(engine!)).toBe(false);
});
