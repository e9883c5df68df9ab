import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '#shared/pipeline/boxes';
import type { ObjectClass } from '#shared/pipeline/object-class';
import type { LabelledPicture } from './labelled-picture';
import { sheetsOf } from './small-faces';

/** Photos of which every object of some classes is labelled. */
export interface DataSet {
  readonly classes: readonly ObjectClass[];
  readonly read: (folder: string) => readonly LabelledPicture[] | Promise<readonly LabelledPicture[]>;
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;
const boxAt = (x: number, y: number, width: number, height: number): Box => ({
  x1: x,
  y1: y,
  x2: x + width,
  y2: y + height,
});

interface PlatePhoto {
  readonly file: string;
  readonly plates: readonly { readonly bbox: readonly [number, number, number, number] }[];
}

const readPlates = (folder: string): LabelledPicture[] =>
  readJson<PlatePhoto[]>(folder, 'plates/annotations.json').map(({ file, plates }) => ({
    path: join(folder, 'plates/images', file),
    truth: plates.map(({ bbox: [x1, y1, x2, y2] }) => ({
      objectClass: 'license-plate' as const,
      box: { x1, y1, x2, y2 },
    })),
    uncounted: [],
  }));

interface CocoFile {
  readonly images: readonly { readonly id: number; readonly file_name: string }[];
  readonly annotations: readonly {
    readonly image_id: number;
    readonly category_id: number;
    readonly iscrowd: number;
    readonly bbox: readonly [number, number, number, number];
    /** Run lengths for crowds, polygons for all else. */
    readonly segmentation: object | readonly (readonly number[])[];
  }[];
}

/** COCO's categories: person; bicycle, car, motorcycle, bus, train, truck. */
const COCO_CLASSES: Readonly<Record<number, ObjectClass>> = {
  1: 'person',
  2: 'vehicle',
  3: 'vehicle',
  4: 'vehicle',
  6: 'vehicle',
  7: 'vehicle',
  8: 'vehicle',
};

const readCoco = (folder: string): LabelledPicture[] => {
  const { images, annotations } = readJson<CocoFile>(folder, 'coco128/instances.json');
  return images.map(({ id, file_name: file }) => {
    const labels = annotations.flatMap(({ image_id: image, category_id: category, iscrowd, ...drawn }) => {
      const objectClass = COCO_CLASSES[category];
      const outline = Array.isArray(drawn.segmentation) ? { outline: drawn.segmentation as number[][] } : {};
      return image === id && objectClass
        ? [{ objectClass, box: boxAt(...drawn.bbox), iscrowd, ...outline }]
        : [];
    });
    return {
      path: join(folder, 'coco128/images', file),
      truth: labels.filter(({ iscrowd }) => iscrowd === 0),
      uncounted: labels.filter(({ iscrowd }) => iscrowd !== 0),
    };
  });
};

const IMAGE_ELEMENT = /<image file='([^']+)'[^>]*>([\s\S]*?)<\/image>/g;
const BOX_ELEMENT = /<box top='(-?\d+)' left='(-?\d+)' width='(\d+)' height='(\d+)'/g;

/** The XML is the output of one program; two patterns read it where a parser would be one more package. */
const readFaces = (folder: string): LabelledPicture[] =>
  ['training.xml', 'testing.xml'].flatMap((list) => {
    const xml = readFileSync(join(folder, 'faces/dlib/faces', list), 'latin1');
    return [...xml.matchAll(IMAGE_ELEMENT)]
      .map(([, file = '', boxes = '']) => ({
        path: join(folder, 'faces/dlib/faces', file),
        truth: [...boxes.matchAll(BOX_ELEMENT)].map(([, top, left, width, height]) => ({
          objectClass: 'face' as const,
          box: boxAt(Number(left), Number(top), Number(width), Number(height)),
        })),
        uncounted: [],
      }))
      .filter(({ path }) => existsSync(path));
  });

export const DATA_SETS = {
  plates: { classes: ['license-plate'], read: readPlates },
  coco128: { classes: ['person', 'vehicle'], read: readCoco },
  faces: { classes: ['face'], read: readFaces },
  'small-faces': { classes: ['face'], read: (folder) => sheetsOf(readFaces(folder)) },
} as const satisfies Record<string, DataSet>;

export type DataSetName = keyof typeof DATA_SETS;
export const isDataSetName = (name: string): name is DataSetName => Object.hasOwn(DATA_SETS, name);

const SPLIT = new URL('../train/license-plates/split.json', import.meta.url).pathname;

/** Tells the photos, by their file names, that no network of ours was trained on. */
export const readHeldOut = (): ((file: string) => boolean) => {
  type Part = 'training' | 'validation' | 'background';
  const { training, validation, background } = readJson<Readonly<Record<Part, string[]>>>(SPLIT);
  const learnt = new Set([...training, ...validation, ...background]);
  return (file) => !learnt.has(file);
};

/** Every n-th item, so that a part of a sorted list stands for the whole. */
export const spread = <T>(items: readonly T[], limit: number): readonly T[] =>
  items.length <= limit
    ? items
    : Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)] as T);
