import sharp from 'sharp';
import { aviFile } from '#shared/testing/avi-file';
import { framesOf } from '../server/testing/clips';
import { FLASH_CLIP, FLASH_VIDEO } from '../server/testing/flash-clip';
import { jsonOf } from '#shared/testing/conformance';
import { filePart, get, uploadedId } from '#shared/testing/conformance-steps';
import type { TaskResponse } from '#shared/api/contract/schemas-tasks';
import { downloadBy, drop, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { coreOfAny, meanDifference, type Pixels } from './support/pixels';
import { readSample } from './support/samples';
import { upload } from './support/upload';

const SIZE = { width: 320, height: 240 };
/** Frames that are not valid JPEG images cannot be decoded. */
const BROKEN = new Uint8Array(2000);

const pixelsOf = async (image: Uint8Array): Promise<Pixels> => ({
  ...SIZE,
  data: await sharp(image).removeAlpha().raw().toBuffer(),
});

test('a video that browsers cannot decode is converted and anonymised in the page', async ({
  page,
  sendTo,
}) => {
  const image = await sharp(readSample(1)).resize(SIZE.width, SIZE.height).jpeg().toBuffer();
  const bytes = aviFile([image, BROKEN, image], { ...SIZE, framesPerSecond: 10 });
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await openApp(page);
  const progress = page.getByTestId('video-progress');
  await drop(page, [{ name: 'unwanted.avi', type: 'video/x-msvideo', bytes }]);
  await expect(progress).toContainText('Converting');
  await expect(progress).toContainText('a server of your own is faster');
  await progress.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByTestId('error')).toContainText('Processing was stopped.');
  await itemNamed(page, 'unwanted.avi').getByRole('button', { name: 'Remove unwanted.avi' }).click();

  await drop(page, [{ name: 'old.avi', type: 'video/x-msvideo', bytes }]);
  await waitForStatus(page, 'old.avi', 'done');
  await expect(page.getByTestId('facts')).toContainText('2 frames');
  await expect(page.getByTestId('video-warnings')).toContainText('1 frame of the original could not be read');

  const found = await upload(sendTo.server, await sharp(image).png().toBuffer(), 'method=detect&face=true');
  const boxes = (await found.metadata()).detections.map(({ bbox }) => bbox);
  expect(boxes.length).toBeGreaterThan(0);
  const original = await pixelsOf(image);
  const frames = await framesOf(await readDownload(await downloadBy(page, 'Download')));
  expect(frames.map(({ timestampUs }) => Math.round(timestampUs / 1e5))).toEqual([0, 2]);
  for (const { index, raster } of frames) {
    const data = Uint8Array.from(raster.data).filter((_, at) => at % 4 !== 3);
    const hidden = meanDifference(original, { ...SIZE, data }, coreOfAny(boxes));
    expect(hidden, `frame ${index}`).toBeGreaterThan(12);
  }
});

test(
  'a truncated video with odd sides keeps its size in the page, and its lost frames are reported',
  { tag: '@slow' },
  async ({ page, sendTo }) => {
    const cut = FLASH_CLIP.subarray(0, Math.floor(FLASH_CLIP.length * 0.7));
    const parts = [filePart(cut, 'cut.flv', 'video/x-flv')];
    await openApp(page);
    await drop(page, [{ name: 'cut.flv', type: 'video/x-flv', bytes: cut }]);
    await waitForStatus(page, 'cut.flv', 'done');
    await expect(page.getByTestId('video-warnings')).toContainText('is not known exactly');
    const id = await uploadedId(sendTo.page, { parts, query: 'face=true' });
    const task = jsonOf<TaskResponse>(await get(sendTo.page, `/v1/task/${id}`));
    const { frames_done: frames = 0, frames_lost: lost, frames_lost_uncertain: isUncertain, padding } = task;
    expect([isUncertain, padding]).toEqual([true, [1, 1]]);
    expect(Math.abs(FLASH_VIDEO.frames - frames - (lost ?? 0))).toBeLessThanOrEqual(1);
    const metadata = jsonOf<{ size: number[] }[]>(await get(sendTo.page, `/v1/file/${id}/video/metadata`));
    expect(metadata[0]?.size).toEqual([FLASH_VIDEO.width, FLASH_VIDEO.height]);
  },
);
