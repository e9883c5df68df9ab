import { growCorners, type Corner, type Corners } from '../../domain/detection';
import type { Manifest } from '../../domain/manifest';
import { RGBA, type Raster } from '../../domain/raster';
import { ALPHABET } from '../../domain/read-text';
import type { LoadedModel, Sessions } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import { stretchTo } from '../pixels/letterbox';
import { createPyramid, type Pyramid } from '../pixels/pyramid';
import { straighten } from '../pixels/straighten';
import { readCtc, type ReadLine } from './read-ctc';

/** Height of a line in the network's input, px. */
const LINE_PX = 48;
/** Shorter lines are padded to this width, with which the network was trained. */
const MIN_WIDTH_PX = 320;
/** Wider lines are not read: the network compares all columns with each other. */
const MAX_WIDTH_PX = 4_800;
/** Margins at the ends, and above and below, in heights of the line. */
const MARGIN = { along: 0.1, across: 0.04 } as const;
/** Level of the padding: 0 in the network's input. */
const GREY = 127;

/** The model that reads text. @throws if the manifest has none */
export const readerEntry = ({ models }: Manifest): Manifest['models'][number] => {
  const entry = models.find(({ head }) => head === 'text-reader');
  if (!entry) throw new Error('the manifest has no reader of text');
  return entry;
};

/** Loads the reader with the first text that is read. */
export const openReader = (manifest: Manifest, sessions: Sessions): Promise<LoadedModel> =>
  sessions.get(readerEntry(manifest));

const distance = ([ax, ay]: Corner, [bx, by]: Corner): number => Math.hypot(bx - ax, by - ay);

/** The corners from the first letter on, for a line that runs to the right or down. */
const alongLine = ([a, b, c, d]: Corners): Corners =>
  distance(a, b) + distance(c, d) >= distance(b, c) + distance(d, a) ? [a, b, c, d] : [b, c, d, a];

const turnAround = ([a, b, c, d]: Corners): Corners => [c, d, a, b];

/** Straightens a line, from a level of the pyramid on which it is up to twice as high. @returns undefined if it is too long */
const cutLine = (pyramid: Pyramid, corners: Corners): Raster | undefined => {
  const [a, b, c, d] = growCorners(corners, MARGIN.along, MARGIN.across);
  const height = (distance(b, c) + distance(d, a)) / 2;
  const width = Math.round((LINE_PX * (distance(a, b) + distance(c, d))) / 2 / height);
  if (!(width >= 1 && width <= MAX_WIDTH_PX)) return undefined;
  const level = pyramid.level(Math.max(0, Math.floor(Math.log2(height / LINE_PX))));
  const onLevel = ([x, y]: Corner): Corner => [
    (x * level.width) / pyramid.width,
    (y * level.height) / pyramid.height,
  ];
  return straighten(level, [onLevel(a), onLevel(b), onLevel(c), onLevel(d)], width, LINE_PX);
};

const padded = (line: Raster): Raster => {
  if (line.width >= MIN_WIDTH_PX) return line;
  const data = new Uint8Array(RGBA * MIN_WIDTH_PX * line.height).fill(GREY);
  for (let y = 0; y < line.height; y++) {
    data.set(line.data.subarray(RGBA * y * line.width, RGBA * (y + 1) * line.width), RGBA * y * MIN_WIDTH_PX);
  }
  return { width: MIN_WIDTH_PX, height: line.height, data };
};

const readRaster = async (line: Raster, { entry, run }: LoadedModel): Promise<ReadLine> => {
  const input = padded(line);
  const { width, height } = input;
  const fit = stretchTo({ x: 0, y: 0, width, height, wraps: false }, width, height);
  const [output] = await run(() => toTensor(createPyramid(input), fit, entry.input));
  if (!output) throw new Error(`model ${entry.id} returned no characters`);
  return readCtc(output.data, ALPHABET);
};

/**
 * Reads a line of text, and the other way round, because a line that is upside down may be misread as another one.
 *
 * @param isEnough whether the other direction can change nothing
 * @returns nothing for a line that is too long
 */
export const readLine = async (
  pyramid: Pyramid,
  corners: Corners,
  reader: LoadedModel,
  isEnough: (line: ReadLine) => boolean,
): Promise<readonly ReadLine[]> => {
  const along = alongLine(corners);
  const line = cutLine(pyramid, along);
  if (!line) return [];
  const read = await readRaster(line, reader);
  if (isEnough(read)) return [read];
  return [read, await readRaster(cutLine(pyramid, turnAround(along)) as Raster, reader)];
};
