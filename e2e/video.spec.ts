import sharp from 'sharp';
import { encodeClip, framesOf } from '../server/testing/clips';
import { downloadBy, drop, openApp, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { movingPhoto, withoutAlpha } from './support/moving-photo';
import { coreOfAny, insideAny, meanDifference, type Pixels } from './support/pixels';
import { readSample } from './support/samples';
import { upload } from './support/upload';

const CLIP = 'street corner.mp4';
const SIZE = { width: 320, height: 240 };
/** Enough for tracking. */
const FRAMES = 3;
/** Its view moves by some px per frame. */
const VIEW = { size: SIZE, frames: FRAMES, stepPx: 6 };
const FACES = 'face=true&license-plate=true';
/** Distance beyond any soft edge, in px of this clip. */
const CLEAR_OF_EDGES_PX = 40;

const pngOf = ({ width, height, data }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

test.describe('a user drops a video', () => {
  test('and downloads an MP4 that hides the faces in every frame, and no request leaves the page', async ({
    page,
    context,
    origin,
    sendTo,
  }) => {
    const requested: string[] = [];
    context.on('request', (request) => requested.push(request.url()));
    const photo = readSample(1);
    const rasters = await movingPhoto(photo, VIEW);
    const clip = await encodeClip({ frames: rasters.map((raster, i) => [i * 0.04, raster]) });

    // The dialog that asks where to save belongs to the system, so tests cannot operate it.
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await openApp(page);
    await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: clip }]);
    await waitForStatus(page, CLIP, 'done');
    await expect(page.getByTestId('facts')).toContainText(`${FRAMES} frames`);
    await expect(page.getByTestId('result-video')).toBeVisible();

    const download = await downloadBy(page, 'Download');
    expect(download.suggestedFilename()).toBe('street corner-anonymised.mp4');
    const result = await readDownload(download);
    const [before, after] = [await framesOf(clip), await framesOf(result)];
    expect(after.map(({ timestampUs }) => Math.round(timestampUs))).toEqual(
      before.map(({ timestampUs }) => Math.round(timestampUs)),
    );
    for (const [index, frame] of before.entries()) {
      const [original, hidden] = [withoutAlpha(frame.raster), withoutAlpha(after[index]!.raster)];
      const found = await upload(sendTo.server, await pngOf(original), `method=detect&${FACES}`);
      const boxes = (await found.metadata()).detections.map(({ bbox }) => bbox);
      expect(boxes.length, `faces of frame ${index}`).toBeGreaterThan(0);
      expect(meanDifference(original, hidden, coreOfAny(boxes)), `frame ${index}`).toBeGreaterThan(12);
      const isFarAway = insideAny(boxes, CLEAR_OF_EDGES_PX);
      expect(
        meanDifference(original, hidden, (x, y) => !isFarAway(x, y)),
        `frame ${index}`,
      ).toBeLessThan(6);
    }
    for (const url of requested) {
      const { protocol, origin: from } = new URL(url);
      expect(protocol === 'blob:' || from === new URL(origin).origin, url).toBe(true);
    }
  });
});
