/**
 * `npm run bench:gpu`: images and frames per second of the page on the graphics card of this machine, without it, and of
 * the server; and whether the page finds the same objects on it. A measurement, not a test: it never fails.
 *
 * `--photos FOLDER`: compares the objects in its JPEG files (the sample photos). `CHROME_PATH` names the browser.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import { createGate } from '#shared/engine/runtime/in-parallel';
import type { Engine } from '#shared/ports/host-engine';
import { defaultSettings } from '../../server/cli/config';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { readSample } from '../support/samples';
import { compareObjects } from './compare-objects';
import { makeImage } from './images';
import { CASES, type Case, type Found } from './job';
import { head, machine, row } from './markdown';
import { findOnGpu, nameOfGpu, runInPage, runVideoInPage, servePage } from './run-in-page';
import { anonymiseImage, openServerEngine } from './server-engine';
import { makeClip } from './video-clip';
import { VIDEO_CASES, videoJob } from './video-job';

endWhenOutputCloses();

const IMAGE_CASES = CASES.filter(({ size: [width] }) => width <= 4000);
const FRAMES = 48;
const SAMPLES = [1, 2, 3, 4, 5, 6];

/** Images per second while all workers of the server are busy. */
const rateOfServer = async (engine: Engine, workers: number, one: Case): Promise<number> => {
  const image = await makeImage(...one.size);
  const inTurn = createGate(workers);
  const process = (count: number) =>
    Promise.all(Array.from({ length: count }, () => inTurn(() => anonymiseImage(engine, image, one))));
  await process(workers);
  const start = performance.now();
  const done = await process(workers * one.runs);
  return (done.length * 1000) / (performance.now() - start);
};

const print = async (cells: readonly string[], measure: () => Promise<readonly [string, number]>) => {
  const [backend, rate] = await measure().catch(
    (error: unknown) => [String(error).split('\n')[0]!, NaN] as const,
  );
  console.log(row([...cells, backend, rate.toFixed(2)]));
};

const sizeAndClasses = ({ size, classes }: Pick<Case, 'size' | 'classes'>): string[] => [
  size.join(' × '),
  classes.length === DEFAULT_CLASSES.length ? 'all four' : classes.join(', '),
];

const printImages = async (engine: Engine, workers: number, origin: string): Promise<void> => {
  console.log(head(['Image', 'Classes', 'Host', 'Backend', 'Images per second']));
  for (const one of IMAGE_CASES) {
    const cells = sizeAndClasses(one);
    await print([...cells, `server, ${workers} at a time`], async () => [
      'cpu',
      await rateOfServer(engine, workers, one),
    ]);
    for (const usesGpu of [false, true]) {
      await print([...cells, 'page'], async () => {
        const { backend, totalMs } = await runInPage(origin, one, usesGpu);
        return [backend, 1000 / totalMs];
      });
    }
  }
};

const printVideos = async (origin: string): Promise<void> => {
  console.log(`\n${head(['Video', 'Classes', 'Host', 'Backend', 'Frames per second'])}`);
  for (const one of VIDEO_CASES.filter(({ size: [width] }) => width === 1280)) {
    const clip = Buffer.from(await makeClip(FRAMES, one.size));
    for (const usesGpu of [false, true]) {
      await print([...sizeAndClasses(one), 'page'], async () => {
        const { backend, frames, wallMs } = await runVideoInPage(
          origin,
          clip,
          videoJob(one.classes),
          usesGpu,
        );
        return [backend, (frames * 1000) / wallMs];
      });
    }
  }
};

const photosOf = async (folder: string | undefined): Promise<Buffer[]> => {
  if (folder === undefined) return SAMPLES.map(readSample);
  const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
};

const printAgreement = async (engine: Engine, origin: string, folder: string | undefined): Promise<void> => {
  const photos = await photosOf(folder);
  const { backend, found } = await findOnGpu(origin, photos, DEFAULT_CLASSES);
  const onServer: Found[] = [];
  for (const photo of photos) {
    onServer.push((await anonymiseImage(engine, photo, { classes: DEFAULT_CLASSES })).report.detections);
  }
  const { same, onlyFirst, onlySecond, sidePx, score } = compareObjects(onServer, found);
  console.log(`\n${photos.length} photos, page (${backend}) next to the server:`);
  console.log(
    head(['Same objects', 'Only server', 'Only page', 'Largest difference of a side, px', 'Of a score']),
  );
  console.log(row([same, onlyFirst, onlySecond, sidePx.toFixed(2), score.toExponential(1)]));
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { photos: { type: 'string' } } });
  const page = await servePage();
  const origin = page.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  console.log(`${machine()}; ${(await nameOfGpu(origin)) ?? 'no graphics card'}\n`);
  const { workers } = defaultSettings();
  const engine = await openServerEngine(workers);
  await printAgreement(engine, origin, values.photos).catch((error: unknown) => console.log(String(error)));
  await printImages(engine, workers, origin);
  await printVideos(origin);
  await engine.close();
  await page.close();
};

await main();
