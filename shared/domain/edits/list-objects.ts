import { iou, toBox, type Box, type ImagePoint } from '../boxes';
import type { ObjectClass } from '../../catalogue/classes';
import type { HidingMethod } from '../../catalogue/methods';
import { boundsOf, cornersOf, type HiddenArea } from '../hidden-areas';
import { thresholdIn } from '../options';
import {
  type AreaEdit,
  type DrawnShape,
  type Edits,
  type Hiding,
  type IgnoredArea,
  type NumberedDetection,
  type ObjectEdit,
  changesRendering,
  ignoredBox,
  drawnShapeBounds,
} from './edits';
import { withoutTextOnPlates } from '../text-on-plates';

/** An object of an image that a person can select and change. */
export interface EditableObject {
  /** The number by which edits refer to it. */
  readonly id: number;
  /** `always`: an area of `hides`. */
  readonly origin: 'found' | 'drawn' | 'kept' | 'always';
  /** Has no meaning for kept areas and those that are always hidden. */
  readonly objectClass: ObjectClass;
  /** 0..1; 1 for what a person drew. */
  readonly score: number;
  /** In image px; may exceed the image. */
  readonly box: Box;
  readonly isHidden: boolean;
  /** Its own method; absent where the image's is used. */
  readonly method?: HidingMethod;
  /** Its own reason: a code. */
  readonly reason?: string;
  /** Absent where nobody drew it. */
  readonly drawn?: DrawnShape;
  /** Of a polygon that is always hidden. */
  readonly corners?: readonly ImagePoint[];
}

/** Areas of the page have numbers below 0, so that none is taken for a detection. They are not sent. */
export type Numbered<Area> = Area & { readonly key?: number };

interface EditedImage extends Pick<Edits, 'objects'> {
  readonly areas?: readonly Numbered<AreaEdit>[];
  readonly ignores?: readonly Numbered<IgnoredArea>[];
  /** In px. */
  readonly hides?: readonly Numbered<HiddenArea>[];
}

/** Score of a drawn area: certain. */
const DRAWN_SCORE = 1;

export const withMethod = (method: HidingMethod | undefined): Pick<EditableObject, 'method'> =>
  method === undefined ? {} : { method };

const withReason = (reason: string | undefined): Pick<EditableObject, 'reason'> =>
  reason === undefined ? {} : { reason };

const foundObject = (
  { id, detection }: NumberedDetection,
  { hidden = true, bbox, type_label, method, reason }: Omit<ObjectEdit, 'id'>,
): EditableObject => ({
  id,
  origin: 'found',
  objectClass: type_label ?? detection.objectClass,
  score: detection.score,
  box: bbox ? toBox(bbox) : detection.box,
  isHidden: hidden,
  ...withMethod(method),
  ...withReason(reason),
});

const drawnObject = (area: Numbered<AreaEdit>, index: number): EditableObject => ({
  id: area.key ?? -1 - index,
  origin: 'drawn',
  objectClass: area.type_label,
  score: DRAWN_SCORE,
  box: drawnShapeBounds(area),
  isHidden: area.hidden ?? true,
  drawn: area,
  ...withMethod(area.method),
  ...withReason(area.reason),
});

const keptObject = (area: Numbered<IgnoredArea>): EditableObject[] =>
  area.key === undefined
    ? []
    : [
        {
          id: area.key,
          origin: 'kept',
          objectClass: 'face',
          score: DRAWN_SCORE,
          box: ignoredBox(area),
          isHidden: true,
        },
      ];

const alwaysHidden = (area: Numbered<HiddenArea>): EditableObject[] =>
  area.key === undefined
    ? []
    : [
        {
          id: area.key,
          origin: 'always',
          objectClass: 'face',
          score: DRAWN_SCORE,
          box: boundsOf(cornersOf(area)),
          isHidden: true,
          ...withMethod(area.method),
          ...withReason(area.reason),
          ...('points' in area && { corners: area.points }),
        },
      ];

/** The method of an object where it differs from the image's: its own, or that of its class. */
export const specialMethod = (
  { method, objectClass }: Pick<EditableObject, 'method' | 'objectClass'>,
  { methods }: Pick<Hiding, 'methods'>,
): HidingMethod | undefined => method ?? methods?.[objectClass];

/** Wanted detections. Text on a wanted plate is a part of the plate, unless a person changed the text. */
const wantedObjects = (
  found: readonly NumberedDetection[],
  { classes, thresholds }: Hiding,
  objects: readonly ObjectEdit[],
): EditableObject[] => {
  const edits = new Map(objects.map((edit) => [edit.id, edit]));
  const confirmed = new Set(objects.filter(changesRendering).map(({ id }) => id));
  const isWanted = ({ id, detection: { objectClass, score } }: NumberedDetection): boolean =>
    !edits.get(id)?.deleted &&
    (confirmed.has(id) || (classes.includes(objectClass) && score >= thresholdIn(thresholds, objectClass)));
  const wanted = found.filter(isWanted).map((one) => foundObject(one, edits.get(one.id) ?? {}));
  const others = new Set(withoutTextOnPlates(wanted, () => true));
  return wanted.filter((one) => others.has(one) || confirmed.has(one.id));
};

/** Lists what a person can select in an image: detections above the threshold, drawn areas and kept areas. */
export const listObjects = (
  found: readonly NumberedDetection[],
  hiding: Hiding,
  { objects = [], areas = [], ignores = [], hides = [] }: EditedImage,
): readonly EditableObject[] => [
  ...wantedObjects(found, hiding, objects),
  ...areas.map(drawnObject),
  ...ignores.flatMap(keptObject),
  ...hides.flatMap(alwaysHidden),
];

/** Minimum IoU of the boxes of one object in two searches. */
const SAME_OBJECT_IOU = 0.9;

/** The number of the same object in a new search; undefined where it was not found. */
export const numberAfter = (
  id: number,
  before: readonly NumberedDetection[],
  after: readonly NumberedDetection[],
): number | undefined => {
  const old = before.find((one) => one.id === id)?.detection;
  if (!old) return undefined;
  return after.find(
    ({ detection }) =>
      detection.objectClass === old.objectClass && iou(detection.box, old.box) >= SAME_OBJECT_IOU,
  )?.id;
};
