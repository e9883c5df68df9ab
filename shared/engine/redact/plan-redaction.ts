import {
  type Box,
  boxHeight,
  boxWidth,
  clipBox,
  growBox,
  growToRatio,
  shorterSide,
} from '../../domain/boxes';
import { type Detection, areConvex, growCorners, shorterEdge } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { CLASS_RULES, type ClassRules } from '../../catalogue/class-rules';
import type { ObjectClass } from '../../catalogue/classes';
import { hides } from '../../catalogue/methods';
import { marginOf, type ImageOptions, type Margins } from '../../domain/options';
import type { RedactionPlan, Region, Shape } from '../../domain/plan';
import { shapeBounds } from '../masks/fill-shape';
import { shapeAtPole } from '../masks/shape-at-pole';
import { middleStretch, wideningOf } from '../pixels/latitude';
import { growByMargin, growShape } from './grow-shape';
import { MIN_CELL_PX, REDACTORS } from './redactors';

/**
 * Exponent of the superellipse for vehicles: closer to a car's contour than an ellipse (2), and it covers the corners.
 */
const VEHICLE_EXPONENT = 3;

/** Whether an object is a row of characters, with a margin that depends on their height. */
const isRow = (objectClass: ObjectClass): boolean =>
  ['plate', 'line'].includes(CLASS_RULES[objectClass].shape);

type Located = Pick<Detection, 'objectClass' | 'box'>;

/** The box of a detection in the ratio of its class. @param stretch how many times too wide a panorama shows it */
const boxInRatio = ({ objectClass, box }: Located, stretch = 1): Box => {
  const { ratio } = CLASS_RULES[objectClass].strength;
  return ratio === undefined ? box : growToRatio(box, ratio * stretch);
};

/** The object of which a panorama's seam shows a part. */
const wholeOf = <T extends Pick<Detection, 'box' | 'whole'>>(detection: T): T =>
  detection.whole ? { ...detection, box: detection.whole } : detection;

/** The box of a detection with its padding. @param stretch as `boxInRatio` */
export const paddedBox = (detection: Located, stretch = 1): Box => {
  const { objectClass } = detection;
  const box = boxInRatio(detection, stretch);
  const [x, y] = CLASS_RULES[objectClass].strength.padding;
  return isRow(objectClass) ? growBox(box, (x * boxHeight(box)) / boxWidth(box), y) : growBox(box, x, y);
};

/** The size of an image, and whether it is a panorama. */
type PlanSize = Pick<RedactionPlan, 'width' | 'height' | 'wraps'>;

/** A box that ends this close to the image's edge, in px, may belong to an object that continues beyond it. */
const EDGE_PX = 2;

const isCutByEdge = ({ x1, y1, x2, y2 }: Box, { width, height }: Size): boolean =>
  Math.min(x1, y1) <= EDGE_PX || x2 >= width - EDGE_PX || y2 >= height - EDGE_PX;

/** The quadrilateral of a plate with known corners, which hides less of the car than a box. */
const plateShape = (detection: Detection): Shape => {
  const { objectClass, corners } = detection;
  return corners && areConvex(corners)
    ? { kind: 'quad', corners: growCorners(corners, ...CLASS_RULES[objectClass].strength.padding) }
    : { kind: 'box', box: paddedBox(detection) };
};

const SHAPES = {
  ellipse: (detection: Detection, stretch?: number) => ({
    kind: 'ellipse',
    box: paddedBox(detection, stretch),
  }),
  superellipse: (detection) => ({
    kind: 'superellipse',
    box: paddedBox(detection),
    exponent: VEHICLE_EXPONENT,
  }),
  plate: plateShape,
  line: (detection) => ({ kind: 'box', box: paddedBox(detection) }),
} as const satisfies Record<ClassRules['shape'], (detection: Detection, stretch?: number) => Shape>;

const isLine = ({ objectClass }: Detection): boolean => CLASS_RULES[objectClass].shape === 'line';

/** Stretches a shape about its middle, at most to the width of the panorama; a mask is as wide as its object. */
const widen = (shape: Shape, factor: number, width: number): Shape => {
  if (shape.kind === 'runs') return shape;
  const { x1, x2 } = shapeBounds(shape);
  const middle = (x1 + x2) / 2;
  const by = Math.max(1, Math.min(factor, width / (x2 - x1)));
  const move = (x: number): number => middle + by * (x - middle);
  return shape.kind === 'quad'
    ? { ...shape, corners: shape.corners.map(([x, y]) => [move(x), y] as const) }
    : { ...shape, box: { ...shape.box, x1: move(shape.box.x1), x2: move(shape.box.x2) } };
};

/**
 * The shape that hides a detection of a panorama. Near a pole an object is wider at its end there; what was found at the
 * pole is hidden as its view shows it, faces as ellipses and all others as boxes.
 */
const shapeAround = (detection: Detection, size: Size): Shape => {
  const { atPole, objectClass, corners } = detection;
  if (atPole) {
    const { shape, mask } = CLASS_RULES[objectClass];
    const box = paddedBox({ objectClass, box: atPole.box });
    const kind = shape === 'ellipse' && !mask ? 'ellipse' : 'box';
    return shapeAtPole({ kind, box }, { pole: atPole.pole, size });
  }
  if (isLine(detection) && corners && areConvex(corners)) return { kind: 'quad', corners };
  const whole = wholeOf(detection);
  // Neither edge cuts an object: it continues at the other one.
  const isCut = whole.box.y1 <= EDGE_PX || whole.box.y2 >= size.height - EDGE_PX;
  const shape: Shape = isCut
    ? { kind: 'box', box: paddedBox(whole) }
    : SHAPES[CLASS_RULES[objectClass].shape](whole, middleStretch(whole.box, size.height));
  return widen(shape, wideningOf(whole.box, size.height), size.width);
};

/**
 * The shape that hides a detection without a mask.
 *
 * For an object cut by the image's edge the whole box is hidden: it is wide at the edge, where an ellipse is narrow.
 */
export const defaultShape = (detection: Detection, size: PlanSize): Shape => {
  if (size.wraps) return shapeAround(detection, size);
  const { objectClass, box, corners } = detection;
  // Text is as high at the edge as elsewhere, and the box around a turned line is much larger.
  if (isLine(detection) && corners && areConvex(corners)) return { kind: 'quad', corners };
  if (isCutByEdge(box, size)) return { kind: 'box', box: paddedBox(detection) };
  return SHAPES[CLASS_RULES[objectClass].shape](detection);
};

/** The shorter side of an object; the height of a line of text, also of a turned one. */
const shorterSideOf = (detection: Detection): number =>
  isLine(detection) && detection.corners
    ? shorterEdge(detection.corners)
    : shorterSide(boxInRatio(detection));

/** Plans the redaction of one detection. @param outline shape to hide with its margin, unless `bbox` is set */
export const planRegion = (
  detection: Detection,
  id: number,
  outline: Shape,
  { method, bbox, ...margins }: Pick<ImageOptions, 'method' | 'bbox'> & Margins,
): Region => {
  const { strength } = CLASS_RULES[detection.objectClass];
  const { cellPx, hasSoftEdge } = REDACTORS[method];
  const { atPole } = detection;
  const object = atPole ? { ...detection, box: atPole.box } : wholeOf(detection);
  const shorter = shorterSideOf(object);
  const box = boxInRatio(object);
  const longer = Math.max(boxWidth(box), boxHeight(box));
  return {
    id,
    detection,
    shape:
      bbox && !atPole
        ? { kind: 'box', box: growByMargin(paddedBox(object), marginOf(margins, detection.objectClass)) }
        : outline,
    featherPx: hasSoftEdge && !bbox ? Math.max(2, Math.round(strength.feather * shorter)) : 0,
    cellPx:
      'fixed' in strength.cells ? Math.max(MIN_CELL_PX, longer) : cellPx(strength.cells, shorter, longer),
  };
};

/** The detection as it is stored in a plan: its masks are left out, because the plan contains the shape. */
export const withoutMasks = ({ masks: _inShape, ...detection }: Detection): Detection => detection;

/**
 * Plans the redaction of all detections: shape, padding and strength of each.
 *
 * @param masks shapes from segmentation, by detection; detections without one get the default shape of their class
 */
export const planRedaction = (
  size: Size,
  detections: readonly Detection[],
  masks: ReadonlyMap<Detection, Shape>,
  options: ImageOptions,
): RedactionPlan => {
  const wraps = options.format.kind === 'pano';
  return {
    width: size.width,
    height: size.height,
    method: options.method,
    ...(wraps && { wraps }),
    regions: detections.map((detection, id) => {
      const box = clipBox(detection.box, size.width, size.height);
      const inside = { ...withoutMasks(detection), box };
      const own = hides(options.method) ? options.methods?.[detection.objectClass] : undefined;
      const planned = { ...size, ...(wraps && { wraps }) };
      const usual = masks.get(detection) ?? defaultShape(inside, planned);
      const shape = growShape(usual, marginOf(options, detection.objectClass), planned);
      const region = planRegion(inside, id, shape, { ...options, method: own ?? options.method });
      return own ? { ...region, method: own } : region;
    }),
    ignores: options.ignores,
    debug: options.debug,
    score: options.score,
  };
};
