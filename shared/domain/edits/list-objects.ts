import { iou, type Box } from '../boxes';
import type { ObjectClass } from '../object-class';
import type { HidingMethod } from '../options';
import type { DrawnArea, KeptArea, NumberedDetection, ObjectChange, PlanEdits, EditRequest } from './edits';
import { outlineBounds } from './outline';

/** Something in a picture that a person can select and change. */
export interface EditableObject {
  /** As edits name it. */
  readonly id: number;
  readonly origin: 'found' | 'drawn' | 'kept';
  /** Says nothing of what is left alone. */
  readonly objectClass: ObjectClass;
  /** 0..1; 1 for what a person drew. */
  readonly score: number;
  /** In image px; may reach out of the picture. */
  readonly box: Box;
  readonly isOff: boolean;
  /** Its own; absent where that of the picture is used. */
  readonly method?: HidingMethod;
}

const UNCHANGED: ObjectChange = {};
/** Nobody doubts what a person drew. */
const DRAWN_SCORE = 1;

const changeOf = ({ changes }: PlanEdits, id: number): ObjectChange => changes[id] ?? UNCHANGED;

/** Whether a person said that this is an object: then no threshold takes it away. */
const isConfirmed = ({ box, objectClass, method }: ObjectChange): boolean =>
  (box ?? objectClass ?? method) !== undefined;

const isWanted = ({ detection, id }: NumberedDetection, revision: EditRequest): boolean => {
  const change = changeOf(revision.edits, id);
  if (change.isDeleted) return false;
  const { objectClass, score } = detection;
  if (isConfirmed(change)) return true;
  return revision.classes.includes(objectClass) && score >= revision.thresholds[objectClass];
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

/** How an object is hidden where that is not as all of the picture are: by its own method, or by its class's. */
export const specialMethod = (
  { method, objectClass }: Pick<EditableObject, 'method' | 'objectClass'>,
  { methods }: Pick<EditRequest, 'methods'>,
): HidingMethod | undefined => method ?? methods?.[objectClass];

/** What there is to select in a picture: what is sure enough, what was drawn, and what is left alone. */
export const listObjects = (
  found: readonly NumberedDetection[],
  revision: EditRequest,
): readonly EditableObject[] => [
  ...found.filter((one) => isWanted(one, revision)).map((one) => foundObject(one, revision.edits)),
  ...revision.edits.drawn.map(drawnObject),
  ...revision.edits.kept.map(keptObject),
];

/** Boxes of one object that was found twice agree to this share. */
const SAME_OBJECT_IOU = 0.9;

/** The number under which a new search found what an earlier one did; undefined where it did not. */
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
