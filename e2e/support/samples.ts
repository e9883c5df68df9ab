import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES = join(ROOT, 'node_modules/@vladmandic/face-api/demo');
const DATA = join(ROOT, '../shared/data');

/** Path of a photograph with faces, 1..6. */
export const samplePath = (number: number): string => join(SAMPLES, `sample${number}.jpg`);
export const readSample = (number: number): Buffer => readFileSync(samplePath(number));

/** Width of a small sample: its faces can be detected, and processing is fast. */
export const SMALL_PX = 960;
export const smallSample = (number: number): Promise<Buffer> =>
  sharp(readSample(number)).resize(SMALL_PX).jpeg({ quality: 95 }).toBuffer();

/** Path of a file of the labelled data, which is next to the repository and not on every machine. */
export const dataPath = (...path: string[]): string | undefined => {
  const file = join(DATA, ...path);
  return existsSync(file) ? file : undefined;
};
