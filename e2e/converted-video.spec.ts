import sharp from 'sharp';
import { aviFile } from '#shared/testing/avi-file';
import { drop, openApp, waitForStatus } from './support/app';
import { test } from './support/hosts';
import { readSample } from './support/samples';

const SIZE = { width: 320, height: 240 };

test('a video that no browser reads is converted in the page, and anonymised there', async ({ page }) => {
  const picture = await sharp(readSample(1)).resize(SIZE.width, SIZE.height).jpeg().toBuffer();
  const bytes = aviFile([picture, picture, picture], { ...SIZE, framesPerSecond: 10 });
  await openApp(page);
  await drop(page, [{ name: 'old.avi', type: 'video/x-msvideo', bytes }]);
  await waitForStatus(page, 'old.avi', 'done');
});
