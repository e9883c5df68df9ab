import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import { classNamed, COCO_ID_LABELS } from '#shared/engine/packs/recognise-labels';
import type { LabelledImage } from './labelled-image';
import { crowdSheetsOf, sheetsOf } from './small-faces';
import { readFrame, type VehiclePhoto } from './traffic-cameras';

/** Photos with labels for every object of some classes. */
export interface DataSet {
  readonly classes: readonly ObjectClass[];
  readonly read: (folder: string) => readonly LabelledImage[];
  /** Creates images from the photos of one side of a split; the images replace the photos. */
  readonly compose?: (photos: readonly LabelledImage[]) => Promise<readonly LabelledImage[]>;
  /** Present if the training has already divided the photos by similarity. */
  readonly isDivided?: true;
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;
const boxAt = (x: number, y: number, width: number, height: number): Box => ({
  x1: x,
  y1: y,
  x2: x + width,
  y2: y + height,
});

type Label = LabelledImage['truth'][number];
/** Corners of a box, in px. */
type Corners = readonly [x1: number, y1: number, x2: number, y2: number];

const labelAs =
  (objectClass: ObjectClass) =>
  ([x1, y1, x2, y2]: Corners): Label => ({ objectClass, box: { x1, y1, x2, y2 } });
const toPlate = labelAs('license-plate');
const toFace = labelAs('face');
const toVehicle = (box: Box): Label => ({ objectClass: 'vehicle', box });

interface PlatePhoto {
  readonly file: string;
  readonly plates: readonly { readonly bbox: Corners }[];
}

const toPlatePhoto =
  (images: string) =>
  ({ file, plates }: PlatePhoto): LabelledImage => ({
    path: join(images, file),
    truth: plates.map(({ bbox }) => toPlate(bbox)),
    uncounted: [],
  });

const readPlates = (folder: string): LabelledImage[] =>
  readJson<PlatePhoto[]>(folder, 'plates/annotations.json').map(toPlatePhoto(join(folder, 'plates/images')));

const readMotorcycles = (folder: string): LabelledImage[] =>
  readJson<PlatePhoto[]>(folder, 'plates-motorcycles/annotations.json').map(
    toPlatePhoto(join(folder, 'plates-motorcycles')),
  );

interface CocoFile {
  readonly images: readonly { readonly id: number; readonly file_name: string }[];
  readonly annotations: readonly {
    readonly image_id: number;
    readonly category_id: number;
    readonly iscrowd: number;
    readonly bbox: readonly [number, number, number, number];
    /** Run lengths for crowds, polygons for other objects. */
    readonly segmentation: object | readonly (readonly number[])[];
  }[];
}

const readCoco = (folder: string): LabelledImage[] => {
  const { images, annotations } = readJson<CocoFile>(folder, 'coco128/instances.json');
  return images.map(({ id, file_name: file }) => {
    const labels = annotations.flatMap(({ image_id: image, category_id: category, iscrowd, ...drawn }) => {
      const objectClass = COCO_ID_LABELS[category];
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

/** A photo with the boxes of all of COCO's classes; boxes of groups are in `crowds`. */
interface EverydayPhoto {
  readonly file: string;
  readonly boxes: readonly (readonly [name: string, ...Corners])[];
  readonly crowds?: readonly (readonly [name: string, ...Corners])[];
}

const readEveryday = (folder: string): LabelledImage[] =>
  readJson<EverydayPhoto[]>(folder, 'everyday/annotations.json').map(({ file, boxes, crowds = [] }) => {
    const labelsOf = (named: EverydayPhoto['boxes']): Label[] =>
      named.flatMap(([name, ...box]) => {
        const objectClass = classNamed(name);
        return objectClass ? [labelAs(objectClass)(box)] : [];
      });
    return { path: join(folder, 'everyday', file), truth: labelsOf(boxes), uncounted: labelsOf(crowds) };
  });

const IMAGE_ELEMENT = /<image file='([^']+)'[^>]*>([\s\S]*?)<\/image>/g;
const BOX_ELEMENT = /<box top='(-?\d+)' left='(-?\d+)' width='(\d+)' height='(\d+)'/g;

/** Read by two patterns instead of an XML parser, because one program wrote all of these files. */
const readFaces = (folder: string): LabelledImage[] =>
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

/** The photos without persons: every detected face is a false one. */
const readWithoutPersons = (folder: string): LabelledImage[] =>
  readCoco(folder)
    .filter(({ truth, uncounted }) =>
      [...truth, ...uncounted].every(({ objectClass }) => objectClass !== 'person'),
    )
    .map(({ path }) => ({ path, truth: [], uncounted: [] }));

interface CrowdPhoto {
  readonly file: string;
  readonly faces: readonly Corners[];
  /** Doubtful labels, which count neither as found nor as false. */
  readonly unsure: readonly Corners[];
}

const crowdsOf = (folder: string, photos: readonly CrowdPhoto[]): LabelledImage[] =>
  photos.map(({ file, faces, unsure }) => ({
    path: join(folder, 'faces/crowds', file),
    truth: faces.map(toFace),
    uncounted: unsure.map(toFace),
  }));

const readCrowds = (folder: string): LabelledImage[] =>
  crowdsOf(folder, readJson<CrowdPhoto[]>(folder, 'faces/crowds/annotations.json'));

const readCrowdsByHand = (folder: string): LabelledImage[] =>
  crowdsOf(folder, readJson<CrowdPhoto[]>(import.meta.dirname, 'crowds-by-hand.json'));

const readTrafficCameras = (folder: string): LabelledImage[] => {
  type ByFile = Readonly<Record<string, readonly Corners[]>>;
  const doubtful = readJson<ByFile>(import.meta.dirname, 'doubtful-vehicles.json');
  return readJson<VehiclePhoto[]>(folder, 'vehicles/annotations.json')
    .filter(({ set }) => set === 'atl')
    .map((photo) => {
      const { counted, uncounted } = readFrame(photo);
      return {
        path: join(folder, 'vehicles/images', photo.file),
        truth: counted.map(toVehicle),
        uncounted: [...uncounted.map(toVehicle), ...(doubtful[photo.file] ?? []).map(labelAs('vehicle'))],
      };
    });
};

/** These two photos contain 841 of 1,384 faces. */
const GIANT_CROWDS = ['ulfg-sample-17.jpg', 'ulfg-sample-25.jpg'];
const isGiant = ({ path }: LabelledImage): boolean => GIANT_CROWDS.includes(basename(path));

export const DATA_SETS = {
  plates: { classes: ['license-plate'], read: readPlates, isDivided: true },
  /** Plates of motorcycles: two lines, nearly square, Arabic, tilted, some at night. */
  'plates-motorcycles': { classes: ['license-plate'], read: readMotorcycles, isDivided: true },
  coco128: { classes: ['person', 'vehicle'], read: readCoco },
  /** Photos that the detector was not trained on, in which all persons and vehicles are labelled. */
  everyday: { classes: ['person', 'vehicle'], read: readEveryday },
  /**
   * Frames of traffic cameras. Whole cameras are held out (`train/objects/split.json`). Vehicles without a label on
   * which two detectors of other projects agree are doubtful (`doubtful-vehicles.json`).
   */
  'traffic-cameras': { classes: ['vehicle'], read: readTrafficCameras, isDivided: true },
  faces: { classes: ['face'], read: readFaces },
  'small-faces': { classes: ['face'], read: readFaces, compose: sheetsOf },
  /**
   * The labels are detections on which two detectors agree. One of them is the product's own, so the figures are too
   * good.
   */
  crowds: { classes: ['face'], read: (folder) => readCrowds(folder).filter((photo) => !isGiant(photo)) },
  'giant-crowds': { classes: ['face'], read: (folder) => readCrowds(folder).filter(isGiant) },
  /** 27 of the same photos with labels that a person examined one by one (`crowds-by-hand.json`). */
  'crowds-by-hand': { classes: ['face'], read: readCrowdsByHand },
  /** The same photos at half and at a third of their size: half of the faces are smaller than 15 px. */
  'small-crowds': { classes: ['face'], read: readCrowdsByHand, compose: crowdSheetsOf },
  'without-persons': { classes: ['face'], read: readWithoutPersons },
} as const satisfies Record<string, DataSet>;

export type DataSetName = keyof typeof DATA_SETS;
export const isDataSetName = (name: string): name is DataSetName => Object.hasOwn(DATA_SETS, name);

/** Boxes of each class by the file name of the photo. */
type ReviewedObjects = Readonly<
  Record<'license-plate' | 'face', Readonly<Record<string, readonly Corners[]>>>
>;

/**
 * Adds to a photo the unlabelled plates and faces that a person confirmed, so that their detections do not count as
 * wrong.
 *
 * Only detections of the product were reviewed, so these objects cannot count as missed.
 */
export const readReviewed = (): ((photo: LabelledImage) => LabelledImage) => {
  const reviewed = readJson<ReviewedObjects>(import.meta.dirname, 'unlabelled-objects.json');
  return (photo) => {
    const file = basename(photo.path);
    const plates = (reviewed['license-plate'][file] ?? []).map(toPlate);
    const faces = (reviewed.face[file] ?? []).map(toFace);
    return { ...photo, uncounted: [...photo.uncounted, ...plates, ...faces] };
  };
};

/** Every n-th item, so that the subset represents the whole sorted list. */
export const spread = <T>(items: readonly T[], limit: number): readonly T[] =>
  items.length <= limit
    ? items
    : Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)] as T);
