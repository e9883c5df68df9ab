/**
 * `npm run eval:sheets`: runs the clips of `../shared/data/videos` through the product and draws a contact sheet of
 * each for visual inspection: evenly spread frames, each before (left) and after (right).
 *
 * Options: `--out FOLDER` (contact-sheets), `--clip TEXT`: only clips with this text in their name, `--class CLASS`:
 * repeatable (face, license-plate).
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { LIMITS } from '#shared/domain/limits';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import type { Raster } from '#shared/domain/raster';
import type { EngineMethods } from '#shared/ports/engine';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
import { createMemoryTarget, openClip, sourceOf } from './memory-clip';

endWhenOutputCloses();

const FOLDER = join(import.meta.dirname, '../../../../shared/data/videos');
const MOMENTS = 8;
const CELL_WIDTH_PX = 640;
const QUALITY = 85;

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: 'contact-sheets' },
    clip: { type: 'string', default: '' },
    class: { type: 'string', multiple: true, default: ['face', 'license-plate'] },
  },
});
const CLASSES: readonly ObjectClass[] = OBJECT_CLASSES.filter((name) => flags.class.includes(name));

const OPTIONS: ImageOptions = defaultImageOptions({ classes: CLASSES });

const anonymise = async (engine: EngineMethods, bytes: Uint8Array): Promise<Uint8Array> => {
  const target = createMemoryTarget();
  const job = {
    options: OPTIONS,
    ...videoOptions(),
    limits: LIMITS,
    framesPerReport: 500,
  };
  const files = { source: sourceOf(bytes), target, report: async () => undefined };
  await engine.anonymiseVideo(job, files, () => undefined, new AbortController().signal);
  return target.bytes();
};

const shrink = async ({ data, width, height }: Raster): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .resize(CELL_WIDTH_PX)
    .png()
    .toBuffer();

/** Thumbnails of the selected frames. */
const moments = async (bytes: Uint8Array, isShown: (index: number) => boolean): Promise<Buffer[]> => {
  const reader = await openClip(bytes);
  const cells: Buffer[] = [];
  for await (const { index, raster } of reader.frames(new AbortController().signal)) {
    if (isShown(index)) cells.push(await shrink(raster));
  }
  reader.close();
  return cells;
};

const countFrames = async (bytes: Uint8Array): Promise<number> => {
  let frames = 0;
  await moments(bytes, () => {
    frames++;
    return false;
  });
  return frames;
};

const drawSheet = async (before: readonly Buffer[], after: readonly Buffer[]): Promise<Buffer> => {
  const { height } = await sharp(before[0]).metadata();
  const placed = (cells: readonly Buffer[], left: number) =>
    cells.map((input, row) => ({ input, left, top: row * height }));
  const sheet = {
    width: 2 * CELL_WIDTH_PX,
    height: before.length * height,
    channels: 3,
    background: 'black',
  } as const;
  return sharp({ create: sheet })
    .composite([...placed(before, 0), ...placed(after, CELL_WIDTH_PX)])
    .jpeg({ quality: QUALITY })
    .toBuffer();
};

const run = async (): Promise<void> => {
  const engine = await openEngine();
  await engine.load(defaultImageOptions({ classes: CLASSES }), () => undefined, new AbortController().signal);
  await mkdir(flags.out, { recursive: true });
  for (const name of (await readdir(FOLDER)).filter((clip) => clip.includes(flags.clip)).sort()) {
    const bytes = new Uint8Array(await readFile(join(FOLDER, name)));
    const started = performance.now();
    const result = await anonymise(engine, bytes);
    const seconds = (performance.now() - started) / 1000;
    const frames = await countFrames(bytes);
    const step = Math.max(1, Math.floor(frames / MOMENTS));
    const isShown = (index: number): boolean => index % step === 0 && index < MOMENTS * step;
    const sheet = join(flags.out, `${name}.jpg`);
    await writeFile(sheet, await drawSheet(await moments(bytes, isShown), await moments(result, isShown)));
    console.log(
      `${sheet}: ${frames} frames in ${seconds.toFixed(1)} s, ${(frames / seconds).toFixed(1)} frames/s`,
    );
  }
};

if (existsSync(FOLDER)) await run();
else console.log(`No clips at ${FOLDER}.`);
