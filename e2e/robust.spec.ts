import { drop, jpegFile, openApp, pictureNamed, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { smallSample } from './support/samples';

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
