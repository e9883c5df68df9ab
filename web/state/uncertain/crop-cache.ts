import { type Box, boxHeight, boxWidth } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/raster';
import type { MediaItem } from '../media-item';
import type { CropSource } from './crop-source';
import type { UncertainObject } from './uncertain-object';

/** Shown part of the image, in sides of the object: enough to recognise what is around it. */
const CONTEXT = 3;
/** Smallest shown width, as a share of the image: a tiny object needs more context. */
const MIN_SHARE = 0.12;
/** Width to height of a crop. */
const CROP_ASPECT = 4 / 3;

const span = (middle: number, length: number, whole: number): readonly [from: number, to: number] => {
  const shown = Math.min(length, whole);
  const from = Math.min(Math.max(0, middle - shown / 2), whole - shown);
  return [from, from + shown];
};

/** The part of an image that shows an object with what is around it, inside the image. */
export const cropRegion = (box: Box, { width, height }: Size): Box => {
  const across = Math.max(
    CONTEXT * boxWidth(box),
    CONTEXT * boxHeight(box) * CROP_ASPECT,
    MIN_SHARE * Math.max(width, height),
  );
  const [x1, x2] = span((box.x1 + box.x2) / 2, across, width);
  const [y1, y2] = span((box.y1 + box.y2) / 2, across / CROP_ASPECT, height);
  return { x1, y1, x2, y2 };
};

/** A crop of the original, and the part of the image that it shows. */
export interface ShownCrop {
  /** Null where the browser cannot show the file. */
  readonly bitmap: ImageBitmap | null;
  readonly region: Box;
}

/** Crops of an object: the main one, and in videos those of frames around it. */
export interface ObjectCrops {
  readonly main: ShownCrop | undefined;
  /** Those that are ready, in the order of time. */
  readonly neighbours: readonly ShownCrop[];
}

/** Crops near a place in the list. */
export interface CropCache {
  /** Makes the crops of the object at this place and of the next ones, and drops those far away. */
  show(objects: readonly UncertainObject[], at: number): void;
  of(object: UncertainObject): ObjectCrops;
  close(): void;
}

/** Objects whose crops are made, so that a decision shows the next one at once. */
const AHEAD = 3;
/** Objects before the one in view whose crops are kept. */
const BEHIND = 2;
/** Times of the neighbouring frames, in seconds from the frame of the object. */
const NEIGHBOURS_S = [-0.4, -0.2, 0.2, 0.4] as const;

interface Entry {
  readonly made: Promise<ShownCrop>;
  ready?: ShownCrop;
}

const nameOf = ({ fileId, key }: UncertainObject, offsetS = 0): string => `${fileId} ${key} ${offsetS}`;
const neighboursOf = ({ atS }: UncertainObject): readonly number[] => (atS === undefined ? [] : NEIGHBOURS_S);

/**
 * @param find the file of an object
 * @param onReady called with each crop that becomes ready
 */
export const createCropCache = (
  source: CropSource,
  find: (fileId: string) => MediaItem | undefined,
  onReady: () => void,
): CropCache => {
  const crops = new Map<string, Entry>();
  const drop = (names: Iterable<string>): void => {
    for (const name of names) {
      void crops.get(name)?.made.then(({ bitmap }) => bitmap?.close());
      crops.delete(name);
    }
  };
  const cropOf = async ({ fileId, box, atS }: UncertainObject, offsetS: number): Promise<ShownCrop> => {
    const { file, result } = find(fileId) ?? {};
    const region = cropRegion(box, result ?? { width: box.x2, height: box.y2 });
    if (!file || !result) return { bitmap: null, region };
    const time = atS === undefined ? {} : { atS: Math.max(0, atS + offsetS) };
    const bitmap = await source.crop({ fileId, file, size: result, region, ...time }).catch(() => null);
    return { bitmap, region };
  };
  const make = (object: UncertainObject, offsetS = 0): void => {
    const name = nameOf(object, offsetS);
    if (crops.has(name)) return;
    const entry: Entry = { made: cropOf(object, offsetS) };
    crops.set(name, entry);
    void entry.made.then((ready) => {
      entry.ready = ready;
      if (crops.get(name) === entry) onReady();
    });
  };
  const readyOf = (object: UncertainObject, offsetS = 0): ShownCrop | undefined =>
    crops.get(nameOf(object, offsetS))?.ready;
  return {
    show: (objects, at) => {
      const near = objects.slice(Math.max(0, at - BEHIND), at + AHEAD);
      const names = new Set(near.flatMap((one) => [0, ...neighboursOf(one)].map((by) => nameOf(one, by))));
      drop([...crops.keys()].filter((name) => !names.has(name)));
      for (const object of objects.slice(at, at + AHEAD)) make(object);
      const current = objects[at];
      if (current) for (const offset of neighboursOf(current)) make(current, offset);
    },
    of: (object) => ({
      main: readyOf(object),
      neighbours: neighboursOf(object).flatMap((offset) => readyOf(object, offset) ?? []),
    }),
    close: () => {
      drop([...crops.keys()]);
      source.close();
    },
  };
};
