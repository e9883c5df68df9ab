import { basename } from 'node:path';
import { boxArea, boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import { OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { MediaOutcome } from './evaluate';
import type { LabelledImage } from './labelled-image';

type CocoBox = readonly [x: number, y: number, width: number, height: number];

/** A detection in COCO's format for results. */
export interface CocoResult {
  readonly image_id: number;
  readonly category_id: number;
  readonly bbox: CocoBox;
  readonly score: number;
}

/** Labels in COCO's format for object detection; only the members that evaluation tools read. */
export interface CocoTruth {
  readonly images: readonly { readonly id: number; readonly file_name: string }[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly annotations: readonly {
    readonly id: number;
    readonly image_id: number;
    readonly category_id: number;
    readonly bbox: CocoBox;
    readonly area: number;
    /** 1: detections inside count neither as correct nor as wrong. */
    readonly iscrowd: 0 | 1;
  }[];
}

/** Results of a class on the photos of one set. */
export interface CocoPart {
  readonly set: string;
  readonly objectClass: ObjectClass;
  readonly outcomes: readonly MediaOutcome[];
}

const categoryOf = (objectClass: ObjectClass): number => OBJECT_CLASSES.indexOf(objectClass) + 1;
const toCocoBox = (box: Box): CocoBox => [box.x1, box.y1, boxWidth(box), boxHeight(box)];

/** The boxes of a class: labelled objects first, then areas that are not counted. */
const labelsOf = (
  { truth, uncounted }: LabelledImage,
  objectClass: ObjectClass,
): readonly { readonly box: Box; readonly iscrowd: 0 | 1 }[] => [
  ...truth.filter((one) => one.objectClass === objectClass).map(({ box }) => ({ box, iscrowd: 0 as const })),
  ...uncounted
    .filter((one) => one.objectClass === objectClass)
    .map(({ box }) => ({ box, iscrowd: 1 as const })),
];

/**
 * Converts an evaluation to COCO's format, for tools such as pycocotools.
 *
 * Image ids count the photos of all sets from 1. A photo is one image for all classes of its set, and another image in
 * another set.
 *
 * @see https://cocodataset.org/#format-results
 */
export const toCoco = (
  parts: readonly CocoPart[],
): { readonly truth: CocoTruth; readonly results: readonly CocoResult[] } => {
  const ids = new Map<string, number>();
  const names: string[] = [];
  const idOf = (set: string, { path }: LabelledImage): number => {
    const key = `${set}/${path}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, names.push(basename(path)));
    return names.length;
  };
  const annotations: CocoTruth['annotations'][number][] = [];
  const results: CocoResult[] = [];
  for (const { set, objectClass, outcomes } of parts) {
    for (const { image, detections } of outcomes) {
      const place = { image_id: idOf(set, image), category_id: categoryOf(objectClass) };
      for (const { box, iscrowd } of labelsOf(image, objectClass)) {
        const id = annotations.length + 1;
        annotations.push({ id, ...place, bbox: toCocoBox(box), area: boxArea(box), iscrowd });
      }
      for (const { box, score } of detections) results.push({ ...place, bbox: toCocoBox(box), score });
    }
  }
  const classes = OBJECT_CLASSES.filter((name) => parts.some(({ objectClass }) => objectClass === name));
  return {
    truth: {
      images: names.map((name, i) => ({ id: i + 1, file_name: name })),
      categories: classes.map((name) => ({ id: categoryOf(name), name })),
      annotations,
    },
    results,
  };
};
