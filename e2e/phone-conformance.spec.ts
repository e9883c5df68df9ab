import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { VideoMetadata } from '#shared/api/contract/schemas-results';
import type { VideoFrame } from '#shared/ports/video';
import { jsonOf, type Send } from '#shared/testing/conformance';
import { get } from '#shared/testing/conformance-steps';
import { largestToneError } from '#shared/testing/hdr-chart';
import { findFfmpeg } from '../server/adapters/find-ffmpeg';
import { detectTones } from '../server/testing/bursts';
import { framesOf } from '../server/testing/clips';
import { numberIn, type PhoneClip, type RefusedFile } from '../server/testing/phone-clip';
import { PHONE_CLIPS, REFUSED_CLIPS } from '../server/testing/phone-clips';
import { PHONE_IMAGES, REFUSED_IMAGES, type PhoneImage } from '../server/testing/phone-images';
import { PANORAMA_CLIPS, REFUSED_PANORAMAS } from '../server/testing/phone-panoramas';
import { PLACE_CLIPS } from '../server/testing/phone-places';
import { HDR_CLIPS, REFUSED_HDR } from '../server/testing/phone-ranges';
import { expect, type Host } from './support/hosts';
import { test } from './support/own-server';
import {
  accept,
  addRow,
  checkRefusal,
  keeps,
  nameOf,
  printRows,
  requireNoMark,
  type Row,
} from './support/phone-table';
import { runProduct } from './support/run-product';
import type { DetectionJson, MetadataJson } from './support/upload';

/** The greatest shift of sound against images, in seconds. */
const MAX_SHIFT = 0.02;
/**
 * The next image has a number that is higher by 1: at low bit rates, encoders skip that for an image or two. One of eight
 * runs has 1.5 in the page. An image that is lost or twice there moves the mean.
 */
const [MAX_NUMBER_ERROR, MAX_MEAN_NUMBER_ERROR] = [2, 0.5];
/** The greatest error of an image's time: containers count in different steps. */
const MAX_TIME_ERROR = 0.002;
/** The greatest error of a colour in levels: mapping has 2, and browsers' encoders 8 more. A wrong transfer has 100. */
const MAX_TONE_ERROR = 12;

const hasFfmpeg = (await findFfmpeg(undefined, process.env)) !== undefined;
const CLIPS = { ...PHONE_CLIPS, ...HDR_CLIPS, ...PANORAMA_CLIPS, ...PLACE_CLIPS };
const REFUSED_VIDEOS = { ...REFUSED_CLIPS, ...REFUSED_HDR, ...REFUSED_PANORAMAS };
const EXTENSION = 'mov';

test.afterAll(printRows);

const largest = (errors: readonly number[]): number => Math.max(0, ...errors.map(Math.abs));

type Box = DetectionJson['bbox'];
/** Whether a pixel is hidden: shapes are larger than their boxes, and their borders blend with what is around. */
const isIn =
  (boxes: readonly Box[], margin = 16) =>
  (x: number, y: number): boolean =>
    boxes.some(
      ([left, top, right, bottom]) =>
        x > left - margin && x < right + margin && y > top - margin && y < bottom + margin,
    );

const checkNumbers = (
  { shownFrames, turn }: PhoneClip,
  frames: readonly VideoFrame[],
  what: string,
): void => {
  const numbers = frames.map(({ raster }) => numberIn(raster, turn) ?? NaN);
  const shown = `${what}: ${numbers.join(' ')}`;
  const errors = numbers.map((number, i) => number - (shownFrames[i]?.[0] ?? NaN));
  expect.soft(largest(errors), shown).toBeLessThan(MAX_NUMBER_ERROR);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  expect.soft(Math.abs(mean), shown).toBeLessThan(MAX_MEAN_NUMBER_ERROR);
};

const checkImages = (
  clip: PhoneClip,
  frames: readonly VideoFrame[],
  hidden: readonly Box[] | undefined,
  what: string,
): void => {
  const { shownFrames, size, chart, projection } = clip;
  expect.soft(frames, `${what}: frames`).toHaveLength(shownFrames.length);
  // What tiny models find in a panorama covers the marks.
  if (!chart && !projection) checkNumbers(clip, frames, what);
  if (chart && hidden) {
    const errors = frames.map(({ raster }) => largestToneError(raster, chart, 'video', isIn(hidden)));
    expect.soft(largest(errors), `${what}: colours`).toBeLessThan(MAX_TONE_ERROR);
  }
  const delays = frames.map(({ timestampUs }, i) => timestampUs / 1e6 - (shownFrames[i]?.[1] ?? NaN));
  expect.soft(largest(delays), `${what}: times`).toBeLessThan(MAX_TIME_ERROR);
  const { width, height } = frames[0]?.raster ?? {};
  expect.soft([width, height], `${what}: size`).toEqual([size.width, size.height]);
};

/** Images, their times, and sound are those of the source. @param hidden boxes, where they are known */
const checkResult = async (
  clip: PhoneClip,
  result: Uint8Array,
  what: string,
  hidden?: readonly Box[],
): Promise<Row> => {
  const frames = await framesOf(result);
  checkImages(clip, frames, hidden, what);
  const tones = (await detectTones(result)).map(({ burst: [from] }) => from);
  expect.soft(tones, `${what}: audio tracks`).toHaveLength(clip.tones.length);
  const delays = tones.map((from, i) => from - (clip.tones[i] ?? NaN));
  expect.soft(largest(delays), `${what}: sound`).toBeLessThan(MAX_SHIFT);
  requireNoMark(result, what);
  const isSphere = Buffer.from(result).includes('sv3d');
  expect.soft(isSphere, `${what}: panorama`).toBe(clip.projection === 'sphere');
  const { width, height } = frames[0]?.raster ?? {};
  return {
    Images: `${clip.shownFrames.length} → ${frames.length}`,
    Size: `${width} × ${height}`,
    'Tone at': tones.map((from) => from.toFixed(3)).join(', '),
  };
};

const checkClip = async (title: string, clip: PhoneClip, host: Host, send: Send): Promise<void> => {
  const what = `${title}, ${host}`;
  const name = nameOf(title, EXTENSION);
  const { id, report, row } = await accept(send, [name, await clip.bytes()], clip, what);
  const dropped = report.audio?.dropped_codecs ?? [];
  expect.soft(dropped, what).toEqual(clip.droppedCodecs);
  const frames = jsonOf<VideoMetadata>(await get(send, `/v1/file/${id}/video/metadata`));
  const hidden = frames.map(({ detections }) => detections.filter((each) => each.is_anonymised));
  const counts = hidden.map(({ length }) => length);
  expect.soft(Math.min(...counts), `${what}: hidden objects`).toBeGreaterThan(0);
  const boxes = hidden.flat().map(({ bbox }) => bbox as Box);
  const result = (await get(send, `/v1/file/${id}/video/anonymised`)).body;
  const facts = await checkResult(clip, result, what, boxes);
  const removed = [row['Removed'], ...dropped].filter(Boolean).join(', ');
  addRow({ File: title, Host: host, ...row, ...facts, Removed: removed, Hidden: String(counts[0]) });
};

const pixelsOf = async (file: Uint8Array) => {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

const checkImage = async (title: string, image: PhoneImage, host: Host, send: Send): Promise<void> => {
  const what = `${title}, ${host}`;
  const name = nameOf(title, image.extension);
  const { id, row } = await accept(send, [name, await image.bytes()], image, what);
  const { detections } = jsonOf<MetadataJson>(await get(send, `/v1/file/${id}/metadata`));
  expect.soft(detections.length, `${what}: hidden objects`).toBeGreaterThan(0);
  const result = (await get(send, `/v1/file/${id}/anonymised`)).body;
  const raster = await pixelsOf(result);
  const { width, height } = raster;
  const { format } = await sharp(result).metadata();
  expect.soft({ format, width, height }, what).toEqual({ format: image.resultFormat, ...image.size });
  if (image.chart) {
    const isHidden = isIn(detections.map(({ bbox }) => bbox));
    const error = largestToneError(raster, image.chart, 'image', isHidden);
    expect.soft(error, `${what}: colours`).toBeLessThan(MAX_TONE_ERROR);
  }
  requireNoMark(result, what);
  const counts = { Images: '1 → 1', Size: `${width} × ${height}`, Hidden: String(detections.length) };
  addRow({ File: title, Host: host, ...row, ...counts });
};

/** Without ffmpeg, a server refuses what it has to convert. */
const clipsOf = (host: Host) =>
  Object.entries(CLIPS).filter(([, { needsFfmpeg, isOnlyForServers }]) =>
    host === 'page' ? !isOnlyForServers : hasFfmpeg || !needsFfmpeg,
  );

/** One of each kind: turned, with sound, times, a range, a projection and positions that differ from the usual. */
const FEW = new Set([
  'H.264, turned by 90°',
  'three audio tracks, one of an unknown codec (apac)',
  'a variable frame rate',
  'an edit list that cuts the start',
  'HLG in VP9',
  'all around (sv3d)',
  'date and place as iPhones write them',
]);

test('a few videos as phones write them keep their images, times and sound: page', async ({ sendTo }) => {
  const few = clipsOf('page').filter(([title]) => FEW.has(title));
  expect(few).toHaveLength(FEW.size);
  for (const [title, clip] of few) await checkClip(title, clip, 'page', sendTo.page);
});

for (const host of ['server', 'page'] as const) {
  test(
    `videos as phones write them keep their images, times and sound: ${host}`,
    { tag: '@slow' },
    async ({ sendTo }) => {
      for (const [title, clip] of clipsOf(host)) {
        if (host === 'server' || !FEW.has(title)) await checkClip(title, clip, host, sendTo[host]);
      }
      for (const [title, file] of Object.entries(REFUSED_VIDEOS)) {
        await checkRefusal(title, file, host, sendTo[host]);
      }
    },
  );

  // Tests of `server/adapters` convert such files, too, and keep or remove their fields.
  const tag = host === 'server' ? '@slow' : [];

  test(
    `images as phones write them keep their colours, and nothing next to their pixels: ${host}`,
    { tag },
    async ({ sendTo }) => {
      for (const [title, image] of Object.entries(PHONE_IMAGES)) {
        if (host === 'page' && image.isOnlyForServers) continue;
        await checkImage(title, image, host, sendTo[host]);
      }
      for (const [title, file] of Object.entries(REFUSED_IMAGES)) {
        await checkRefusal(title, file, host, sendTo[host]);
      }
    },
  );
}

/** Runs the command line over files. @returns their results, and what it prints */
const runOn = async (
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  ...flags: readonly string[]
) => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-phone-'));
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  mkdirSync(input);
  for (const [name, bytes] of files) writeFileSync(join(input, name), bytes);
  const { ended, printed } = runProduct(folder, [input, '-o', output, ...flags]);
  await ended;
  const resultOf = (name: string): Uint8Array => readFileSync(join(output, name));
  return { resultOf, printed, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

// It runs the same engine as the server.
test(
  'videos as phones write them keep their images, times and sound: command line',
  { tag: '@slow' },
  async () => {
    for (const isKept of [false, true]) {
      const clips = clipsOf('server').filter(([, clip]) => keeps(clip) === isKept);
      const refused: [string, RefusedFile][] = isKept ? [] : Object.entries(REFUSED_VIDEOS);
      const files = await Promise.all(
        [...clips, ...refused].map(
          async ([title, file]) =>
            [
              nameOf(title, ('extension' in file && file.extension) || EXTENSION),
              await file.bytes(),
            ] as const,
        ),
      );
      const { resultOf, printed, remove } = await runOn(files, ...(isKept ? ['--keep-metadata'] : []));
      for (const [title, clip] of clips) {
        const facts = await checkResult(clip, resultOf(`${nameOf(title, EXTENSION)}.mp4`), title);
        addRow({ File: title, Host: 'command line', Result: 'done', ...facts });
      }
      for (const [title, { sentence }] of refused) expect.soft(printed(), title).toMatch(sentence);
      remove();
    }
  },
);

/** Where the command line writes the result of an image. */
const resultName = (name: string, { extension, resultFormat }: PhoneImage): string => {
  const isSame = extension === resultFormat || (extension === 'jpg' && resultFormat === 'jpeg');
  return isSame ? name : `${name}.${resultFormat === 'jpeg' ? 'jpg' : resultFormat}`;
};

test(
  'images as phones write them become the same on the command line as by the API',
  { tag: '@slow' },
  async ({ sendTo }) => {
    for (const isKept of [false, true]) {
      const images = Object.entries(PHONE_IMAGES).filter(([, image]) => keeps(image) === isKept);
      const refused = isKept ? [] : Object.entries(REFUSED_IMAGES);
      const files = await Promise.all(
        [...images, ...refused].map(
          async ([title, { bytes, extension = 'jpg' }]) => [nameOf(title, extension), await bytes()] as const,
        ),
      );
      const { resultOf, printed, remove } = await runOn(files, ...(isKept ? ['--keep-metadata'] : []));
      for (const [title, image] of images) {
        const name = nameOf(title, image.extension);
        const { id } = await accept(sendTo.server, [name, await image.bytes()], image, title);
        const expected = (await get(sendTo.server, `/v1/file/${id}/anonymised`)).body;
        expect.soft(Buffer.from(resultOf(resultName(name, image))).equals(expected), title).toBe(true);
        addRow({ File: title, Host: 'command line', Result: 'as by the API' });
      }
      for (const [title, { sentence }] of refused) expect.soft(printed(), title).toMatch(sentence);
      remove();
    }
  },
);

// A Live Photo is two files of one name.
test('both files of a Live Photo are done in a folder', { tag: '@slow' }, async () => {
  const [photo, video] = [PHONE_IMAGES['HEIC in Display P3, turned']!, PHONE_CLIPS['one frame']!];
  const { resultOf, remove } = await runOn([
    ['IMG_0001.HEIC', await photo.bytes()],
    ['IMG_0001.MOV', await video.bytes()],
  ]);
  expect(await sharp(resultOf('IMG_0001.HEIC.jpg')).metadata()).toMatchObject({ ...photo.size });
  await checkResult(video, resultOf('IMG_0001.MOV.mp4'), 'Live Photo');
  remove();
});
