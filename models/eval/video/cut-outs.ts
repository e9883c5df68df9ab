import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { boxHeight, boxWidth, clipBox, growBox, outerPixels, type Box } from '#shared/domain/boxes';
import { createPyramid, type Pyramid } from '#shared/engine/pixels/pyramid';
import { DATA_SETS, spread } from '../data-sets';
import type { LabelledImage } from '../labelled-image';
import { takeSide } from '../split';

/** An object cut out of a photo with a margin, which detectors use, too. */
export interface CutOut {
  readonly objectClass: 'face' | 'license-plate';
  readonly pixels: Pyramid;
  /** Box of the object, in px of the cut-out. */
  readonly box: Box;
}

const PACKAGE = new URL('../../../node_modules/@vladmandic/face-api/demo/', import.meta.url).pathname;

/** Every clearly visible face of the package's photos, from forehead to chin. A person examined each box. */
const FACES: readonly (readonly [photo: number, x1: number, y1: number, x2: number, y2: number])[] = [
  [1, 417, 350, 596, 596],
  [1, 819, 425, 1043, 662],
  [1, 1462, 206, 1682, 445],
  [2, 1438, 160, 1637, 386],
  [2, 890, 228, 1058, 455],
  [3, 1082, 208, 1301, 506],
  [3, 588, 335, 780, 599],
  [3, 1494, 285, 1698, 580],
  [4, 997, 180, 1165, 422],
  [4, 667, 64, 852, 313],
  [4, 266, 202, 418, 444],
  [5, 1406, 392, 1598, 655],
  [5, 364, 880, 584, 1161],
  [5, 1111, 200, 1280, 438],
  [5, 783, 110, 943, 326],
  [5, 610, 422, 777, 670],
  [6, 252, 500, 466, 767],
  [6, 1169, 298, 1370, 581],
  [6, 1487, 269, 1691, 576],
  [6, 677, 314, 861, 623],
];

/** Margin around an object, as multiples of its sides. */
interface Around {
  readonly x: number;
  readonly y: number;
}
const AROUND_FACE: Around = { x: 0.5, y: 0.45 };

const cut = async (
  path: string,
  box: Box,
  objectClass: CutOut['objectClass'],
  around: Around,
): Promise<CutOut> => {
  const photo = sharp(path);
  const { width, height } = await photo.metadata();
  const outer = outerPixels(clipBox(growBox(box, around.x, around.y), width, height));
  const { data, info } = await photo
    .extract({ left: outer.x1, top: outer.y1, width: outer.x2 - outer.x1, height: outer.y2 - outer.y1 })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    objectClass,
    pixels: createPyramid({ width: info.width, height: info.height, data }),
    box: {
      x1: box.x1 - outer.x1,
      y1: box.y1 - outer.y1,
      x2: box.x2 - outer.x1,
      y2: box.y2 - outer.y1,
    },
  };
};

export const readFaces = (): Promise<CutOut[]> =>
  Promise.all(
    FACES.map(([photo, x1, y1, x2, y2]) =>
      cut(join(PACKAGE, `sample${photo}.jpg`), { x1, y1, x2, y2 }, 'face', AROUND_FACE),
    ),
  );

/** Photos of one plate each. */
interface PlateSource {
  readonly read: (folder: string) => Promise<readonly LabelledImage[]>;
  /** Range of the longer side, px. Smaller plates would be blurred when they are enlarged. */
  readonly sidePx: readonly [min: number, max: number];
  readonly around: Around;
}

const PLATE_SOURCES = {
  /** Plates of one line. */
  cars: {
    read: async (folder) => DATA_SETS.plates.read(folder).filter(({ path }) => path.includes('cars-cc0')),
    sidePx: [130, 260],
    around: { x: 0.7, y: 2 },
  },
  /** Plates of two lines, nearly square, Arabic, tilted. No network was trained on these photos. */
  motorcycles: {
    read: async (folder) => {
      const photos = DATA_SETS['plates-motorcycles'].read(folder);
      return (await takeSide('plates-motorcycles', photos, 'held-out', true)).photos;
    },
    sidePx: [80, 260],
    around: { x: 0.7, y: 0.7 },
  },
} as const satisfies Record<string, PlateSource>;

export type PlateKind = keyof typeof PLATE_SOURCES;

/** @throws with the known kinds if the name is not one of them */
export const plateKindOf = (name: string): PlateKind => {
  const kinds = Object.keys(PLATE_SOURCES) as readonly PlateKind[];
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) throw new Error(`No such plates. Kinds: ${kinds.join(', ')}.`);
  return kind;
};

const PLATES = 40;

/** @param kind whose plates; the generated clips of one seed differ between kinds by their plates alone */
export const readPlates = async (folder: string, kind: PlateKind = 'cars'): Promise<CutOut[]> => {
  const { read, around, sidePx }: PlateSource = PLATE_SOURCES[kind];
  const photos = (await read(folder)).flatMap(({ path, truth: [plate, ...others] }) => {
    if (!plate || others.length > 0) return [];
    const side = Math.max(boxWidth(plate.box), boxHeight(plate.box));
    return side >= sidePx[0] && side <= sidePx[1] ? [{ path, box: plate.box }] : [];
  });
  return Promise.all(spread(photos, PLATES).map(({ path, box }) => cut(path, box, 'license-plate', around)));
};

/** Photos without labelled persons and vehicles. */
export const readBackgrounds = (folder: string): string[] =>
  DATA_SETS.coco128
    .read(folder)
    .filter(({ truth, uncounted }) => truth.length === 0 && uncounted.length === 0)
    .map(({ path }) => path);

/** A photo, cropped to fill this size. */
export const readBackground = async (path: string, width: number, height: number): Promise<Uint8Array> =>
  sharp(readFileSync(path))
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
