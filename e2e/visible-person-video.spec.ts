import type { APIRequestContext, Locator, Page } from '@playwright/test';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';
import { encodeClip, framesOf } from '../server/testing/clips';
import { violations } from './support/accessible';
import { drop, openApp, readDownload, selectServer, waitForStatus } from './support/app';
import { expect, HOSTS, test, type Host } from './support/hosts';
import { movingPhoto, withoutAlpha } from './support/moving-photo';
import { coreOfAny, meanDifference } from './support/pixels';
import { readSample } from './support/samples';

const CLIP = 'three persons.mp4';
/** Each frame is compared, and three must agree. */
const [FRAMES, FRAME_S] = [6, 0.2];
/** Over a photo of three persons. */
const VIEW = { size: { width: 640, height: 420 }, frames: FRAMES, stepPx: 6 };
/** Mean difference of a face to the original: compression alone, and blur. */
const [MAX_VISIBLE, MIN_HIDDEN] = [6, 12];
/** Comparison and rendering of the video on two slow cores. */
const RENDER_LIMIT_MS = 180_000;
/** Three renderings of it, on machines three times slower. */
const TEST_LIMIT_MS = 900_000;

type Box = Parameters<typeof coreOfAny>[0][number];

/** Reads from the API of the host that processes the clip. */
type ReadApi = <Answer>(path: string) => Promise<Answer>;

const readerOf = (host: Host, page: Page, request: APIRequestContext): ReadApi =>
  host === 'server'
    ? async (path) => (await request.get(path)).json()
    : (path) => page.evaluate(async (url) => (await fetch(url)).json(), path);

/** Faces of the clip in each frame, from left to right. */
const facesOf = async (read: ReadApi): Promise<readonly VideoMetadata[number]['detections'][]> => {
  const tasks = await read<{ id: string; filename: string }[]>('/v1/task/list');
  const { id } = tasks.find(({ filename }) => filename === CLIP)!;
  const frames = await read<VideoMetadata>(`/v1/file/${id}/video/metadata`);
  return frames.map(({ detections }) =>
    detections.filter(({ type_label: name }) => name === 'face').toSorted((a, b) => a.bbox[0] - b.bbox[0]),
  );
};

const trackRow = (page: Page, id: number): Locator => page.locator(`[data-testid=track][data-track="${id}"]`);
const visibleRows = (page: Page): Locator => page.getByTestId('visible-face');
const applied = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'Download', exact: true })).toBeEnabled({
    timeout: RENDER_LIMIT_MS,
  });

/** Mean difference of a face between the clip and the result, in each frame. */
const differences = async (
  clip: Uint8Array,
  result: Uint8Array,
  boxes: readonly Box[],
): Promise<readonly number[]> => {
  const [before, after] = [await framesOf(clip), await framesOf(result)];
  expect(after).toHaveLength(FRAMES);
  return before.map(({ raster }, index) =>
    meanDifference(withoutAlpha(raster), withoutAlpha(after[index]!.raster), coreOfAny([boxes[index]!])),
  );
};

for (const host of HOSTS) {
  // `visible-person.spec.ts` does the same with a photo; in the page, each rendering takes a quarter of a minute.
  test(
    `a user keeps the person of a track visible, and hides a face again before the export: ${host}`,
    { tag: '@slow' },
    async ({ page, request }) => {
      test.setTimeout(TEST_LIMIT_MS);
      const rasters = await movingPhoto(readSample(3), VIEW);
      const clip = await encodeClip({ frames: rasters.map((raster, i) => [i * FRAME_S, raster]) });
      const read = readerOf(host, page, request);
      // The dialog that asks where to save belongs to the system, so tests cannot operate it.
      await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
      await openApp(page);
      if (host === 'server') await selectServer(page);
      await drop(page, [{ name: CLIP, type: 'video/mp4', bytes: clip }]);
      await waitForStatus(page, CLIP, 'done');
      const first = await facesOf(read);
      expect(first.flat().every(({ is_anonymised: isHidden }) => isHidden)).toBe(true);
      const [left, middle, person] = first[0]!.map(({ track_id: id }) => id!) as [number, number, number];

      const others = await read<object[]>('/v1/subjects');
      const row = trackRow(page, person);
      await row.getByRole('button', { name: /^Keep visible …/ }).click();
      await expect(page.getByRole('img', { name: /^Sample photo/ })).toHaveCount(5);
      expect(await violations(page), 'samples').toEqual([]);
      await page.getByRole('button', { name: 'Keep this person visible' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: RENDER_LIMIT_MS });
      await expect(row.getByTestId('shown-track')).toContainText('0:00.0 – 0:01.2', {
        timeout: RENDER_LIMIT_MS,
      });
      await expect(row.getByRole('checkbox')).not.toBeChecked();
      await expect(trackRow(page, left).getByRole('checkbox')).toBeChecked();
      await trackRow(page, middle).getByRole('checkbox').uncheck();
      await page.getByRole('button', { name: 'Apply to 1 file' }).click();
      await applied(page);

      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await expect(visibleRows(page)).toHaveCount(2);
      const byHand = visibleRows(page).filter({ hasText: 'Made visible by hand' });
      await expect(byHand).toHaveCount(1);
      await expect(visibleRows(page).filter({ hasText: 'Similarity' })).toHaveCount(1);
      expect(await violations(page), 'visible faces').toEqual([]);
      await byHand.getByRole('button', { name: `Hide the face in ${CLIP}` }).click();
      await expect(visibleRows(page)).toHaveCount(1, { timeout: RENDER_LIMIT_MS });
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const result = await readDownload(await downloading);
      const boxesOf = (track: number): Box[] =>
        first.map((faces) => faces.find(({ track_id: id }) => id === track)!.bbox);
      for (const difference of await differences(clip, result, boxesOf(person))) {
        expect(difference).toBeLessThan(MAX_VISIBLE);
      }
      for (const hidden of [left, middle]) {
        for (const difference of await differences(clip, result, boxesOf(hidden))) {
          expect(difference).toBeGreaterThan(MIN_HIDDEN);
        }
      }

      await row.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Apply to 1 file' }).click();
      await applied(page);
      expect((await facesOf(read)).flat().every(({ is_anonymised: isHidden }) => isHidden)).toBe(true);
      if (host === 'server') {
        expect(await read<object[]>('/v1/subjects')).toHaveLength(others.length + 1);
        await page.getByRole('button', { name: 'Process files in this tab again' }).click();
        await expect.poll(() => read<object[]>('/v1/subjects')).toEqual(others);
      }
    },
  );
}
