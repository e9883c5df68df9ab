import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES = join(ROOT, 'node_modules/@vladmandic/face-api/demo');
const DATA = join(ROOT, '../shared/data');

/** Path of a photograph with faces, 1..6. */
export const samplePath = (number: number): string => join(SAMPLES, `sample${number}.jpg`);
export const readSample = (number: number): Buffer => readFileSync(samplePath(number));

const sampleOf = (number: number, widthPx: number): Promise<Buffer> =>
  sharp(readSample(number)).resize(widthPx).jpeg({ quality: 95 }).toBuffer();

/** Width of a small sample: its faces can be detected, and processing is fast. */
export const SMALL_PX = 960;
export const smallSample = (number: number): Promise<Buffer> => sampleOf(number, SMALL_PX);

/** Width of a tiny sample, for tests with tiny models, which find the same objects at any size. */
export const TINY_PX = 320;
export const tinySample = (number: number): Promise<Buffer> => sampleOf(number, TINY_PX);

/** Path of a file of the labelled data, which is next to the repository and not on every machine. */
export const dataPath = (...path: string[]): string | undefined => {
  const file = join(DATA, ...path);
  return existsSync(file) ? file : undefined;
};
