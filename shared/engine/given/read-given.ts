import { UnreadableFile } from '../../domain/failure';
import type { GivenFor, GivenObject } from '../../domain/given';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import { runsOfText, shapeOfRuns } from './coco-mask';
import { refuseLine, isFields, type GivenMask, type ListedImage } from './given-file';
import { shapeOfPolygons } from './polygons';
import { readCoco } from './read-coco';
import { readJsonl } from './read-jsonl';

/** Whether the first line is an object of its own, and not a file of COCO in one line. */
const hasLines = (text: string): boolean => {
  const [first = ''] = text.trimStart().split('\n', 1);
  try {
    const value: unknown = JSON.parse(first);
    return isFields(value) && !('images' in value);
  } catch {
    return false;
  }
};

const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');

/** Whether two paths name the same file: each part that both have is equal. */
const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one).reverse(), partsOf(other).reverse()];
  const shared = Math.min(a.length, b.length);
  return shared > 0 && a.slice(0, shared).every((part, index) => part === b[index]);
};

const requireSize = ({ where, width, height }: ListedImage, size: Size): void => {
  if (width === size.width && height === size.height) return;
  const turned = width === size.height && height === size.width;
  refuseLine(
    where,
    `its size is ${width} × ${height}, and the upright file has ${size.width} × ${size.height} pixels${turned ? ': turn the detections with it' : ''}.`,
  );
};

const requireFrames = (images: readonly ListedImage[], { frameCount }: GivenFor): void => {
  for (const [index, { frame, where }] of images.entries()) {
    if (frame === undefined) refuseLine(where, 'it names no frame, and the file is a video.');
    if (frame === images[index - 1]?.frame) refuseLine(where, `frame ${frame} is listed twice.`);
    if (frame !== index) {
      refuseLine(where, `frame ${index} is missing: each frame is listed, also without objects.`);
    }
  }
  if (frameCount === undefined || images.length === frameCount) return;
  refuseLine(images.at(-1)!.where, `${images.length} frames are listed, and the video has ${frameCount}.`);
};

const requireOneImage = ([first, second]: readonly ListedImage[], filename: string): void => {
  if (second) refuseLine(second.where, `"${filename}" is listed twice.`);
  if (first?.frame !== undefined) refuseLine(first.where, 'it names a frame, and the file is an image.');
};

/**
 * Reads a file of detections, JSONL or COCO, which may list many images and videos.
 *
 * @param hasAreas see `isArea` @throws UnreadableFile with the number of the line that is wrong
 */
export const listGiven = (bytes: Uint8Array, hasAreas = false): readonly ListedImage[] => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile('The detections are not UTF-8 text.');
  }
  if (text.trim() === '') throw new UnreadableFile('The detections are empty.');
  return hasLines(text) ? readJsonl(text, hasAreas) : readCoco(text, hasAreas);
};

/**
 * What such a file says of one image or video: of a video, all of its frames in order.
 *
 * @throws UnreadableFile with the number of the line that is wrong
 */
export const givenFor = (listed: readonly ListedImage[], wanted: GivenFor): readonly ListedImage[] => {
  const own = listed.filter(({ name }) => name === undefined || isSameFile(name, wanted.filename));
  if (own.length === 0) throw new UnreadableFile(`The detections list nothing for "${wanted.filename}".`);
  const images = own.toSorted((a, b) => (a.frame ?? 0) - (b.frame ?? 0));
  if (wanted.kind === 'image') requireOneImage(images, wanted.filename);
  const { size } = wanted;
  for (const image of images) requireSize(image, size ?? images[0]!);
  if (wanted.kind === 'video') requireFrames(images, wanted);
  return images;
};

const shapeOf = (mask: GivenMask, size: Size): Shape | undefined => {
  if (mask.kind === 'polygons') return shapeOfPolygons(mask.polygons, mask.box);
  const { counts, box } = mask;
  return shapeOfRuns(typeof counts === 'string' ? (runsOfText(counts) ?? []) : counts, size, box);
};

/** The objects of an image or frame, with the shapes of their masks. */
export const givenObjects = (image: ListedImage): readonly GivenObject[] =>
  image.objects.map(({ mask, ...object }) => {
    const shape = mask && shapeOf(mask, image);
    return { ...object, ...(shape && { shape }) };
  });
