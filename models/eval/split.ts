import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { LabelledImage } from './labelled-image';

const TRAIN = new URL('../train', import.meta.url).pathname;

/** Part of the photos: held out, used for training or tuning, or all. */
export const SPLITS = ['all', 'held-out', 'tuning'] as const;
export type Split = (typeof SPLITS)[number];
export const isSplit = (name: string): name is Split => SPLITS.some((split) => split === name);

/** Side of the compared grey thumbnails, in px. */
const THUMBNAIL_PX = 16;
/** Cosine of two thumbnails without their mean, above which they show the same scene. The same value as in `train/`. */
const ALIKE = 0.92;

type Thumbnail = Float32Array;

const makeThumbnail = async (path: string): Promise<Thumbnail> => {
  const grey = await sharp(path)
    .rotate()
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const centred = Float32Array.from(grey, (value) => value - mean);
  const length = Math.hypot(...centred);
  return centred.map((value) => value / (length + 1e-6));
};

const cosine = (a: Thumbnail, b: Thumbnail): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

const mirror = (thumbnail: Thumbnail): Thumbnail =>
  thumbnail.map(
    (_, i) => thumbnail[i - (i % THUMBNAIL_PX) + THUMBNAIL_PX - 1 - (i % THUMBNAIL_PX)] as number,
  );

/** Groups similar items transitively. @returns the group of each item, named by its first member */
const joinAlike = (count: number, areAlike: (a: number, b: number) => boolean): readonly number[] => {
  const parents = Array.from({ length: count }, (_, i) => i);
  const root = (item: number): number => {
    const parent = parents[item] as number;
    return parent === item ? item : root(parent);
  };
  for (let b = 1; b < count; b++) {
    for (let a = 0; a < b; a++) {
      const [first, second] = [root(a), root(b)].sort((x, y) => x - y) as [number, number];
      if (first !== second && areAlike(a, b)) parents[second] = first;
    }
  }
  return parents.map((_, i) => root(i));
};

/** The photos of a set in two parts without near duplicates across them. */
export interface DividedPhotos {
  readonly groups: number;
  readonly heldOut: readonly LabelledImage[];
  readonly tuning: readonly LabelledImage[];
}

/**
 * Divides photos by similarity: photos whose grey thumbnails are nearly equal, mirrored or not, form a group, and whole
 * groups belong to one side.
 *
 * A group with a training photo is for tuning. In a set without training photos every second group is, in the order of
 * the names.
 */
export const divideByLikeness = async (
  photos: readonly LabelledImage[],
  isLearnt: (file: string) => boolean,
): Promise<DividedPhotos> => {
  const inOrder = [...photos].sort((a, b) => (a.path < b.path ? -1 : 1));
  const thumbnails: Thumbnail[] = [];
  for (const { path } of inOrder) thumbnails.push(await makeThumbnail(path));
  const mirrored = thumbnails.map(mirror);
  const groupOf = joinAlike(inOrder.length, (a, b) => {
    const own = thumbnails[a] as Thumbnail;
    return Math.max(cosine(own, thumbnails[b] as Thumbnail), cosine(own, mirrored[b] as Thumbnail)) > ALIKE;
  });
  const groups = [...new Set(groupOf)];
  const learnt = groupOf.filter((_, i) => isLearnt(basename((inOrder[i] as LabelledImage).path)));
  const forTuning = new Set(learnt.length > 0 ? learnt : groups.filter((_, i) => i % 2 === 0));
  const isTuned = (photo: LabelledImage): boolean => forTuning.has(groupOf[inOrder.indexOf(photo)] as number);
  return {
    groups: groups.length,
    heldOut: photos.filter((photo) => !isTuned(photo)),
    tuning: photos.filter(isTuned),
  };
};

/**
 * Returns whether a file name belongs to a photo that a network of this project was trained on, or its thresholds were
 * chosen with.
 */
export const readLearnt = (): ((file: string) => boolean) => {
  const lists = readdirSync(TRAIN)
    .map((network) => join(TRAIN, network, 'split.json'))
    .filter((path) => existsSync(path));
  const learnt = new Set(
    lists.flatMap((path) => {
      type Parts = Readonly<Partial<Record<'training' | 'validation' | 'background', string[]>>>;
      const parts = JSON.parse(readFileSync(path, 'utf8')) as Parts;
      return [parts.training, parts.validation, parts.background].flatMap((files) => files ?? []);
    }),
  );
  return (file) => learnt.has(file);
};

/** The photos of one side, with a report about the division. */
export interface Side {
  readonly photos: readonly LabelledImage[];
  readonly note?: string;
}

/** @param isDivided whether training has already divided the photos by similarity; then only its lists decide */
export const takeSide = async (
  name: string,
  photos: readonly LabelledImage[],
  split: Split,
  isDivided: boolean,
): Promise<Side> => {
  if (split === 'all') return { photos };
  const isLearnt = readLearnt();
  if (isDivided) {
    const isHeldOut = split === 'held-out';
    return { photos: photos.filter(({ path }) => isLearnt(basename(path)) !== isHeldOut) };
  }
  const { groups, heldOut, tuning } = await divideByLikeness(photos, isLearnt);
  return {
    photos: split === 'held-out' ? heldOut : tuning,
    note: `${name}: ${photos.length} photos in ${groups} groups by likeness, ${heldOut.length} of them held out`,
  };
};
