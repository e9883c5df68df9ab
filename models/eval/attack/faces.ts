import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { LIMITS } from '#shared/domain/limits';
import { boxHeight, boxWidth, type Box, shorterSide } from '#shared/domain/boxes';
import { RGBA, type Raster, type Size } from '#shared/domain/raster';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '#shared/domain/options';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { imageCodec } from '../../../server/adapters/image-codec';
import { openEngine } from '../open-engine';
import { createRandom, type Random } from '../video/random';
import { cutOut, marginOf } from './cut-out';

/** A face in a photo, and the same face as if in another photo. */
export interface Face {
  readonly raster: Raster;
  readonly box: Box;
  readonly again: { readonly raster: Raster; readonly box: Box };
}

const require = createRequire(import.meta.url);
const SAMPLES = dirname(require.resolve('@vladmandic/face-api/demo/sample1.jpg'));
const DATA = new URL('../../../../shared/data', import.meta.url).pathname;
const FOLDERS = [
  SAMPLES,
  ...['faces/dlib/faces', 'coco128/images', 'faces/crowds'].map((folder) => join(DATA, folder)),
];
const SEED = 60;
const MIN_SCORE = 0.8;
const MIN_SIDE_PX = 40;

const photos = (): string[] =>
  FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.jpe?g$/i.test(name))
      .map((name) => join(folder, name)),
  );

export type Shown = Pick<Face, 'raster' | 'box'>;

const rawOf = ({ width, height, data }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels: RGBA } });

/** @param side longer side of the box in px */
const scaleTo = async ({ raster, box }: Shown, side: number): Promise<Shown> => {
  const scale = side / Math.max(boxWidth(box), boxHeight(box));
  const [width, height] = [Math.round(raster.width * scale), Math.round(raster.height * scale)];
  const data = await rawOf(raster).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const [across, down] = [width / raster.width, height / raster.height];
  const scaled = { x1: box.x1 * across, y1: box.y1 * down, x2: box.x2 * across, y2: box.y2 * down };
  return { raster: { width, height, data }, box: scaled };
};

/** Range of the factor by which brightness and each colour channel differ in another photo. */
const LIGHT = [0.65, 1.35] as const;
/** Range of the size of a face in another photo, as a share of its size in the first one. */
const DISTANCE = [0.7, 1.4] as const;

/** Mirrors the face, changes light, colour and distance, compresses it, and moves its box slightly. */
const takeAgain = async (shown: Shown, side: number, random: Random): Promise<Face['again']> => {
  const { raster, box } = await scaleTo(shown, side * random.between(...DISTANCE));
  const { width, height } = raster;
  const gains = [0, 1, 2].map(() => random.between(...LIGHT));
  const { data } = await sharp(
    await rawOf(raster).flop().removeAlpha().linear(gains, [0, 0, 0]).jpeg({ quality: 70 }).toBuffer(),
  )
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const off = 0.03 * boxWidth(box);
  const mirrored = { x1: width - box.x2 + off, y1: box.y1 - off, x2: width - box.x1 + off, y2: box.y2 + off };
  return { raster: { width, height, data }, box: mirrored };
};

/** Objects of one size, each with another photo of it. */
export const photographTwice = async (objects: readonly Shown[], side: number): Promise<readonly Face[]> => {
  const random = createRandom(SEED);
  const twice: Face[] = [];
  for (const one of objects) {
    twice.push({ ...(await scaleTo(one, side)), again: await takeAgain(one, side, random) });
  }
  return twice;
};

/**
 * Whether the image may cut what hides a face. That is visible and says nothing about the face, but it would be the same
 * in the other photo, which is made from the first one.
 */
const isCut = (box: Box, { width, height }: Size): boolean => {
  const margin = marginOf(box);
  return Math.min(box.x1, box.y1) < margin || box.x2 > width - margin || box.y2 > height - margin;
};

/** Faces that the product detects with high confidence in the sample photos, and that are hidden as a whole. */
export const collectFaces = async (limit: number): Promise<readonly Shown[]> => {
  const engine = await openEngine();
  const faces: Shown[] = [];
  for (const path of photos()) {
    if (faces.length >= limit) break;
    const bytes = await readFile(path);
    const header = await readImageHeader(bytes, LIMITS);
    const job = {
      bytes,
      header,
      options: defaultImageOptions({
        method: 'detect',
        classes: ['face'],
        thresholds: { ...DEFAULT_THRESHOLDS, face: MIN_SCORE },
      }),
      encoding: { format: 'jpeg', quality: 90 },
      masks: [],
    } as const;
    const { plan } = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
    const raster = await imageCodec.decode(bytes, header);
    for (const { detection } of plan.regions) {
      if (shorterSide(detection.box) < MIN_SIDE_PX || isCut(detection.box, plan)) continue;
      if (faces.length < limit) faces.push(cutOut(raster, detection.box));
    }
  }
  return faces;
};
