import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { imageFile } from '#shared/testing/image-files';
import { animatedGif, smallImage } from '#shared/testing/small-images';
import { encodeClip, openClip } from '../server/testing/clips';
import { downloadBy, dropFromDisk, openApp, itemNamed, readDownload, waitForStatus } from './support/app';
import { expect, test } from './support/hosts';
import { smallSample } from './support/samples';

const FOLDER = 'Street festival';
const CLIP_SIZE = { width: 160, height: 120 };
const SOUND = {
  codec: 'flac',
  sampleRate: 48_000,
  numberOfChannels: 1,
  seconds: 0.1,
  levelAt: (seconds: number) => Math.sin(2 * Math.PI * 500 * seconds),
} as const;

const photo = async () => sharp(await smallSample(1)).resize({ width: 160 });
const clip = async (): Promise<Uint8Array> => {
  const raster = {
    ...CLIP_SIZE,
    data: new Uint8ClampedArray(CLIP_SIZE.width * CLIP_SIZE.height * 4).fill(99),
  };
  return encodeClip({ frames: [0, 0.04].map((seconds) => [seconds, raster]), sounds: [SOUND] });
};

/** Files of the folder with the names of their results. */
const READABLE: Readonly<Record<string, readonly [result: string, bytes: () => Promise<Uint8Array>]>> = {
  'a.jpg': ['a-anonymised.jpg', async () => (await photo()).jpeg().toBuffer()],
  'b.PNG': ['b-anonymised.png', async () => (await photo()).png().toBuffer()],
  'c.webp': ['c-anonymised.jpg', async () => (await photo()).webp().toBuffer()],
  'd.avif': ['d-anonymised.jpg', async () => (await photo()).avif().toBuffer()],
  'e.gif': ['e-anonymised.jpg', async () => (await photo()).gif().toBuffer()],
  'f.bmp': ['f-anonymised.jpg', async () => smallImage('bmp')],
  'phone/g.HEIC': ['phone/g-anonymised.jpg', async () => imageFile('p3.heic')],
  'phone/h.tif': ['phone/h-anonymised.jpg', async () => imageFile('turned.tif')],
  'phone/i.mp4': ['phone/i-anonymised.mp4', clip],
};
/** Refused files with their sentences. */
const REFUSED: Readonly<Record<string, readonly [sentence: string, bytes: () => Uint8Array]>> = {
  'moving.gif': ['This is an animated GIF with 2 frames; only still images are supported.', animatedGif],
  'phone/text.jpg': [
    'The file is not an image; JPEG, PNG, WebP, AVIF, HEIC, TIFF, BMP and GIF images are supported.',
    () => new TextEncoder().encode('This is no image.'),
  ],
};
const IGNORED = ['notes.txt', 'phone/list.pdf'];

const writeFolder = async (root: string): Promise<void> => {
  const write = (name: string, bytes: Uint8Array): void => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  };
  for (const [name, [, bytes]] of Object.entries(READABLE)) write(name, await bytes());
  for (const [name, [, bytes]] of Object.entries(REFUSED)) write(name, bytes());
  for (const name of IGNORED) write(name, new TextEncoder().encode('Nothing to see.'));
};

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Format of a result by its content. */
const formatOf = async (bytes: Uint8Array): Promise<string> =>
  (
    await sharp(bytes)
      .metadata()
      .catch(() => undefined)
  )?.format ?? 'mp4';

test('of a dropped folder with files of all formats each readable file is exported, and each other media file has one sentence', async ({
  page,
}, info) => {
  const folder = info.outputPath(FOLDER);
  await writeFolder(folder);
  await openApp(page);
  await dropFromDisk(page, folder);
  for (const name of Object.keys(READABLE)) await waitForStatus(page, baseName(name), 'done');
  for (const [name, [sentence]] of Object.entries(REFUSED)) {
    await waitForStatus(page, baseName(name), 'failed');
    await itemNamed(page, baseName(name)).getByRole('button').first().click();
    await expect(page.getByTestId('error')).toContainText(sentence);
  }
  await expect(page.getByTestId('batch-progress')).toContainText('9 of 11 files done');
  for (const name of IGNORED) await expect(itemNamed(page, baseName(name))).toHaveCount(0);

  const archive = unzipSync(await readDownload(await downloadBy(page, /^Download all/)));
  const results = Object.values(READABLE).map(([result]) => `${FOLDER}/${result}`);
  expect(Object.keys(archive).toSorted()).toEqual(results.toSorted());
  for (const [name, bytes] of Object.entries(archive)) {
    expect(await formatOf(bytes), name).toBe(name.slice(name.lastIndexOf('.') + 1).replace('jpg', 'jpeg'));
  }
  const sound = await openClip(archive[`${FOLDER}/phone/i-anonymised.mp4`]!);
  expect(sound.copiedAudioTracks).toBe(1);
});
