import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LIMITS } from '#shared/domain/limits';
import { type Box, clipBox, outerPixels } from '#shared/domain/boxes';
import type { Raster } from '#shared/domain/raster';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { imageCodec } from '../../server/adapters/image-codec';
import type { MediaOutcome } from './evaluate';

type Rgb = readonly [number, number, number];

/** Colours: detected green, missed red, wrong yellow. */
const FOUND: Rgb = [0, 220, 0];
const MISSED: Rgb = [255, 0, 0];
const WRONG: Rgb = [255, 220, 0];
const LINE_PX = 2;
const QUALITY = 85;

const missedIn = ({ matchScores }: MediaOutcome): number => matchScores.filter((score) => score === 0).length;
const wrongIn = ({ found }: MediaOutcome): number => found.filter(({ isRight }) => !isRight).length;
const mistakesIn = (outcome: MediaOutcome): number => missedIn(outcome) + wrongIn(outcome);

/** The images with most mistakes, the worst first. */
export const worst = (outcomes: readonly MediaOutcome[], count: number): readonly MediaOutcome[] =>
  outcomes
    .filter((outcome) => mistakesIn(outcome) > 0)
    .sort((a, b) => mistakesIn(b) - mistakesIn(a))
    .slice(0, count);

export const describeWorst = (outcome: MediaOutcome): string =>
  `- ${basename(outcome.image.path)}: ${missedIn(outcome)} missed, ${wrongIn(outcome)} wrong`;

const drawBox = (raster: Raster, box: Box, colour: Rgb): void => {
  const { x1, y1, x2, y2 } = outerPixels(clipBox(box, raster.width, raster.height));
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      const isEdge = Math.min(x - x1, y - y1, x2 - 1 - x, y2 - 1 - y) < LINE_PX;
      if (isEdge) raster.data.set(colour, 4 * (y * raster.width + x));
    }
  }
};

/** Writes an image with its boxes. */
export const drawWorst = async (
  outcome: MediaOutcome,
  objectClass: string,
  folder: string,
): Promise<void> => {
  const { image, detections, matches } = outcome;
  const bytes = await readFile(image.path);
  const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
  const matched = new Set(matches);
  detections.forEach(({ box }, i) => {
    if (!matched.has(i)) drawBox(raster, box, WRONG);
  });
  image.truth
    .filter((truth) => truth.objectClass === objectClass)
    .forEach(({ box }, i) => drawBox(raster, box, matches[i] === undefined ? MISSED : FOUND));
  await mkdir(folder, { recursive: true });
  const name = `${objectClass}-${basename(image.path).replace(/[^\w.-]/g, '_')}.jpg`;
  await writeFile(join(folder, name), await imageCodec.encodeLossy('jpeg', raster, QUALITY));
};
