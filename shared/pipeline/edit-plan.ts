import { boxArea, clipBox, type Box } from './boxes';
import type { Detection } from './detection';
import type {
  DrawnArea,
  KeptArea,
  NumberedDetection,
  ObjectChange,
  Outline,
  PlanEdits,
  Revision,
} from './edits';
import { moveShape, outlineBounds } from './move-shape';
import type { ObjectClass } from './object-class';
import type { HidingMethod, IgnoreArea } from './options';
import type { RedactionPlan, Region, Shape } from './plan';
import { defaultShape, planRegion, type Size } from './plan-redaction';
import { strokeShape } from './stroke';

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

const isWanted = ({ detection, id }: NumberedDetection, revision: Revision): boolean => {
  const change = changeOf(revision.edits, id);
  if (change.isDeleted) return false;
  const { objectClass, score } = detection;
  if (isConfirmed(change)) return true;
  return revision.classes.includes(objectClass) && score >= revision.thresholds[objectClass];
};

const withMethod = (method: HidingMethod | undefined): Pick<EditableObject, 'method'> =>
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

/** What there is to select in a picture: what is sure enough, what was drawn, and what is left alone. */
export const listObjects = (
  found: readonly NumberedDetection[],
  revision: Revision,
): readonly EditableObject[] => [
  ...found.filter((one) => isWanted(one, revision)).map((one) => foundObject(one, revision.edits)),
  ...revision.edits.drawn.map(drawnObject),
  ...revision.edits.kept.map(keptObject),
];

/** All that was found, under its numbers: first what was hidden, then what was not sure enough for that. */
export const numberFound = ({ regions, candidates = [] }: RedactionPlan): readonly NumberedDetection[] => [
  ...regions.map(({ detection }, id) => ({ id, detection })),
  ...candidates.map((detection, i) => ({ id: regions.length + i, detection })),
];

const movedDetection = (detection: Detection, { box, objectClass }: EditableObject): Detection => {
  if (detection.box === box) return { ...detection, objectClass };
  const { corners: _ofOldPlace, ...rest } = detection;
  return { ...rest, objectClass, box };
};

/** The outline that was found goes along with its object; another class has an outline of its own. */
const foundShape = (
  original: Detection,
  outline: Shape | undefined,
  object: EditableObject,
  size: Size,
): Shape => {
  const detection = movedDetection(original, object);
  if (object.objectClass !== original.objectClass) return defaultShape(detection, size);
  const shape = outline ?? defaultShape(original, size);
  if (object.box === original.box) return shape;
  return moveShape(shape, original.box, object.box) ?? defaultShape(detection, size);
};

const drawnShape = (outline: Outline, size: Size): Shape | undefined =>
  outline.kind === 'stroke' ? strokeShape(outline, size) : outline;

/** Pixels that lie in it as a whole. */
const ignoreArea = ({ box }: KeptArea): IgnoreArea => {
  const [x, y] = [Math.ceil(box.x1), Math.ceil(box.y1)];
  return {
    x,
    y,
    width: Math.max(0, Math.floor(box.x2) - x),
    height: Math.max(0, Math.floor(box.y2) - y),
  };
};

/** Hides one object; nothing where it lies outside the picture. */
const regionOf = (
  object: EditableObject,
  base: RedactionPlan,
  found: ReadonlyMap<number, Detection>,
  { method, edits }: Revision,
): Omit<Region, 'id'> | undefined => {
  const box = clipBox(object.box, base.width, base.height);
  if (boxArea(box) === 0) return undefined;
  const own = withMethod(object.method);
  const options = { method: object.method ?? method, wholeBoxes: false };
  const original = found.get(object.id);
  if (original) {
    const shape = foundShape(original, base.regions[object.id]?.shape, object, base);
    return { ...planRegion({ ...movedDetection(original, object), box }, 0, shape, options), ...own };
  }
  const area = edits.drawn.find(({ id }) => id === object.id);
  const shape = area && drawnShape(area.outline, base);
  if (!shape) return undefined;
  const { objectClass, score } = object;
  // What is drawn ends where it was drawn: no soft edge.
  return { ...planRegion({ objectClass, score, box }, 0, shape, options), ...own, featherPx: 0 };
};

/**
 * The plan for a picture as a person wants it, made of what was found in it.
 *
 * Nothing is looked for again; outlines that were found are used again.
 *
 * @param base as the detectors and the first settings gave it
 */
export const editPlan = (base: RedactionPlan, revision: Revision): RedactionPlan => {
  const numbered = numberFound(base);
  const found = new Map(numbered.map(({ id, detection }) => [id, detection]));
  const { candidates: _kept, ...plan } = base;
  const regions = listObjects(numbered, revision)
    .filter(({ isOff, origin }) => !isOff && origin !== 'kept')
    .flatMap((object) => regionOf(object, base, found, revision) ?? []);
  return {
    ...plan,
    method: revision.method,
    regions: regions.map((region, id) => ({ ...region, id })),
    ignores: [...base.ignores, ...revision.edits.kept.map(ignoreArea)],
  };
};
