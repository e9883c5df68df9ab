import { iou, type Box } from '../boxes';
import type { ObjectClass } from '../../catalogue/classes';
import type { HidingMethod } from '../../catalogue/methods';
import { thresholdIn } from '../options';
import type { DrawnArea, KeptArea, NumberedDetection, ObjectChange, PlanEdits, EditRequest } from './edits';
import { withoutTextOnPlates } from '../text-on-plates';
import { outlineBounds } from './outline';

/** An object of an image that a person can select and change. */
export interface EditableObject {
  /** The number by which edits refer to it. */
  readonly id: number;
  readonly origin: 'found' | 'drawn' | 'kept';
  /** Has no meaning for kept areas. */
  readonly objectClass: ObjectClass;
  /** 0..1; 1 for what a person drew. */
  readonly score: number;
  /** In image px; may exceed the image. */
  readonly box: Box;
  readonly isOff: boolean;
  /** Its own method; absent where the image's is used. */
  readonly method?: HidingMethod;
}

const UNCHANGED: ObjectChange = {};
/** Score of a drawn area: certain. */
const DRAWN_SCORE = 1;

const changeOf = ({ changes }: PlanEdits, id: number): ObjectChange => changes[id] ?? UNCHANGED;

/** Whether a person confirmed this object by a change: then no threshold removes it. */
const isConfirmed = ({ box, objectClass, method }: ObjectChange): boolean =>
  (box ?? objectClass ?? method) !== undefined;

const isWanted = ({ detection, id }: NumberedDetection, request: EditRequest): boolean => {
  const change = changeOf(request.edits, id);
  if (change.isDeleted) return false;
  const { objectClass, score } = detection;
  if (isConfirmed(change)) return true;
  return request.classes.includes(objectClass) && score >= thresholdIn(request.thresholds, objectClass);
};

export const withMethod = (method: HidingMethod | undefined): Pick<EditableObject, 'method'> =>
  method === undefined ? {} : { method };

const foundObject = ({ id, detection }: NumberedDetection, edits: PlanEdits): EditableObject => {
  const { isOff = false, box, objectClass, method } = changeOf(edits, id);
  return {
    id,
    origin: 'found',
    objectClass: objectClass ?? detection.objectClass,
    score: detection.score,
    box: box ?? detection.box,
    isOff,
    ...withMethod(method),
  };
};

const drawnObject = ({ id, objectClass, outline, isOff = false, method }: DrawnArea): EditableObject => ({
  id,
  origin: 'drawn',
  objectClass,
  score: DRAWN_SCORE,
  box: outlineBounds(outline),
  isOff,
  ...withMethod(method),
});

const keptObject = ({ id, box }: KeptArea): EditableObject => ({
  id,
  origin: 'kept',
  objectClass: 'face',
  score: DRAWN_SCORE,
  box,
  isOff: false,
});

/** The method of an object where it differs from the image's: its own, or that of its class. */
export const specialMethod = (
  { method, objectClass }: Pick<EditableObject, 'method' | 'objectClass'>,
  { methods }: Pick<EditRequest, 'methods'>,
): HidingMethod | undefined => method ?? methods?.[objectClass];

/** Wanted detections. Text on a wanted plate is a part of the plate, unless a person changed the text. */
const wantedObjects = (found: readonly NumberedDetection[], request: EditRequest): EditableObject[] => {
  const wanted = found.filter((one) => isWanted(one, request)).map((one) => foundObject(one, request.edits));
  const others = new Set(withoutTextOnPlates(wanted, () => true));
  return wanted.filter((one) => others.has(one) || isConfirmed(changeOf(request.edits, one.id)));
};

/** Lists what a person can select in an image: detections above the threshold, drawn areas and kept areas. */
export const listObjects = (
  found: readonly NumberedDetection[],
  request: EditRequest,
): readonly EditableObject[] => [
  ...wantedObjects(found, request),
  ...request.edits.drawn.map(drawnObject),
  ...request.edits.kept.map(keptObject),
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
