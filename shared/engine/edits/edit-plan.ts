import { type Box, boxArea, clipBox, type ImagePoint, toBox, boxHeight, boxWidth } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import {
  type DrawnShape,
  type Edits,
  type Hiding,
  type NumberedDetection,
  hidingOf,
  mapBetween,
} from '../../domain/edits/edits';
import { listObjects, specialMethod, withMethod, type EditableObject } from '../../domain/edits/list-objects';
import type { ShownFace } from '../../domain/subject';
import { showFaces } from '../subjects/show-faces';
import { marginOf, type ImageOptions, type Margins } from '../../domain/options';
import type { RedactionPlan, Region, Shape } from '../../domain/plan';
import { growShape } from '../redact/grow-shape';
import { defaultShape, planRegion } from '../redact/plan-redaction';
import { strokeShape } from './stroke';

/** Differences below this, in px, are rounding errors. */
const SAME_PX = 1e-6;

const isSameSize = (a: Box, b: Box): boolean =>
  Math.abs(boxWidth(a) - boxWidth(b)) < SAME_PX && Math.abs(boxHeight(a) - boxHeight(b)) < SAME_PX;

const mapBox = ({ x1, y1, x2, y2 }: Box, map: (place: ImagePoint) => ImagePoint): Box => {
  const [left, top] = map([x1, y1]);
  const [right, bottom] = map([x2, y2]);
  return { x1: left, y1: top, x2: right, y2: bottom };
};

/**
 * Moves and stretches a shape with its box.
 *
 * @returns undefined for a mask that would have to be stretched
 */
const moveShape = (shape: Shape, from: Box, to: Box): Shape | undefined => {
  const map = mapBetween(from, to);
  switch (shape.kind) {
    case 'box':
    case 'ellipse':
    case 'superellipse':
      return { ...shape, box: mapBox(shape.box, map) };
    case 'quad':
      return { ...shape, corners: shape.corners.map(map) };
    case 'runs': {
      if (!isSameSize(from, to)) return undefined;
      const [dx, dy] = [Math.round(to.x1 - from.x1), Math.round(to.y1 - from.y1)];
      const { x1, y1, x2, y2 } = shape.box;
      return { ...shape, box: { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy } };
    }
  }
};

/** All detections with their numbers: first the hidden ones, then the candidates. */
export const numberDetections = ({
  regions,
  candidates = [],
}: RedactionPlan): readonly NumberedDetection[] => [
  ...regions.map(({ detection }, id) => ({ id, detection })),
  ...candidates.map((detection, i) => ({ id: regions.length + i, detection })),
];

/** Candidates that an edit request hides, and that have no mask yet. */
export const candidatesWithoutMask = (
  base: RedactionPlan,
  edits: Edits,
  uploaded: Hiding,
): readonly NumberedDetection[] => {
  const numbered = numberDetections(base);
  const hidden = new Set(
    listObjects(numbered, hidingOf(edits, uploaded), edits)
      .filter(({ origin, isHidden }) => origin === 'found' && isHidden)
      .map(({ id }) => id),
  );
  return numbered.filter(
    ({ id }) => id >= base.regions.length && hidden.has(id) && base.candidateOutlines?.[id] === undefined,
  );
};

type Changed = Pick<EditableObject, 'box' | 'objectClass'>;

export const movedDetection = (detection: Detection, { box, objectClass }: Changed): Detection => {
  if (detection.box === box) return { ...detection, objectClass };
  const { corners: _ofOldPlace, whole: _before, atPole: _noLonger, ...rest } = detection;
  return { ...rest, objectClass, box };
};

/**
 * The shape of a detected object after edits, with its margin: moved with its box, or the default shape of a changed
 * class.
 *
 * @param outline its shape before; absent: the default one
 */
export const editedShape = (
  original: Detection,
  object: Changed,
  outline: Shape | undefined,
  { margins, ...size }: Pick<RedactionPlan, 'width' | 'height' | 'wraps'> & { readonly margins: Margins },
): Shape => {
  const detection = movedDetection(original, object);
  const margin = marginOf(margins, object.objectClass);
  const byDefault = (one: Detection): Shape => growShape(defaultShape(one, size), margin, size);
  if (object.objectClass !== original.objectClass) return byDefault(detection);
  const before = outline ?? byDefault(original);
  if (object.box === original.box) return before;
  return moveShape(before, original.box, object.box) ?? byDefault(detection);
};

const foundShape = (
  original: Detection,
  object: EditableObject,
  base: RedactionPlan,
  margins: Margins,
): Shape => {
  const ofCandidate = base.candidateOutlines?.[object.id];
  const margin = marginOf(margins, object.objectClass);
  const grown = ofCandidate ? growShape(ofCandidate, margin, base) : undefined;
  return editedShape(original, object, base.regions[object.id]?.shape ?? grown, { ...base, margins });
};

const drawnShape = (drawn: DrawnShape, size: RedactionPlan): Shape | undefined =>
  drawn.shape === 'stroke' ? strokeShape(drawn, size) : { kind: drawn.shape, box: toBox(drawn.bbox) };

/** The region of one object; undefined if it lies outside the image. */
const regionOf = (
  object: EditableObject,
  base: RedactionPlan,
  found: ReadonlyMap<number, Detection>,
  { bbox, margins, ...hiding }: Hiding & Pick<ImageOptions, 'bbox'> & { readonly margins: Margins },
): Omit<Region, 'id'> | undefined => {
  const box = clipBox(object.box, base.width, base.height);
  if (boxArea(box) === 0) return undefined;
  const method = specialMethod(object, hiding);
  const own = withMethod(method);
  const options = { method: method ?? hiding.method, bbox: false };
  const original = found.get(object.id);
  if (original) {
    const shape = foundShape(original, object, base, margins);
    const detection = { ...movedDetection(original, object), box };
    return { ...planRegion(detection, 0, shape, { ...margins, ...options, bbox }), ...own };
  }
  const shape = object.drawn && drawnShape(object.drawn, base);
  if (!shape) return undefined;
  const { objectClass, score } = object;
  // A drawn area has no soft edge: it ends where it was drawn.
  return { ...planRegion({ objectClass, score, box }, 0, shape, options), ...own, featherPx: 0 };
};

/**
 * Applies a person's edits to the plan of an image. No detector runs again, and existing masks are reused.
 *
 * @param base the plan made from detections and the original settings
 * @param uploaded options of the upload
 * @param faces of the subject that stays visible, by the numbers of their detections; faces and bodies that the edits
 *   change stay hidden
 */
export const editPlan = (
  base: RedactionPlan,
  edits: Edits,
  uploaded: Hiding & Pick<ImageOptions, 'bbox'> & Margins,
  faces: readonly ShownFace[] = [],
): RedactionPlan => {
  const numbered = numberDetections(base);
  const found = new Map(numbered.map(({ id, detection }) => [id, detection]));
  const { candidates: _kept, candidateOutlines: _used, ...plan } = base;
  const confidences = new Map<number, number>();
  const decided = new Set<number>();
  const named = new Set(edits.objects?.map(({ id }) => id));
  const hiding = { ...hidingOf(edits, uploaded), bbox: uploaded.bbox, margins: uploaded };
  const regions = listObjects(numbered, hiding, edits)
    .filter(({ origin, isHidden }) => origin !== 'kept' && origin !== 'always' && isHidden)
    .flatMap((object) => {
      const region = regionOf(object, base, found, hiding);
      return region ? [{ object, region }] : [];
    })
    .map(({ object, region }, id): Region => {
      const face = object.origin === 'found' ? faces.find((one) => one.id === object.id) : undefined;
      if (object.origin === 'drawn' || named.has(object.id)) decided.add(id);
      else if (face) confidences.set(id, face.confidence);
      return { ...region, id, ...(object.id !== id && { object: object.id }) };
    });
  return {
    ...plan,
    method: hiding.method,
    regions: showFaces(
      regions,
      ({ id }) => confidences.get(id),
      ({ id }) => decided.has(id),
    ),
    ignores:
      edits.ignores?.map(({ topLeftX: x, topLeftY: y, ...size }) => ({ x, y, ...size })) ?? base.ignores,
  };
};
